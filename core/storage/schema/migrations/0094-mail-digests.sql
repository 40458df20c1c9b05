-- Mails about mentions and assigned conversations that a person has not seen.
alter table person add column email_digest boolean not null default true;

-- step: transaction
-- The person who assigned it; null: a rule, a key or the operator.
alter table conversation add column assigned_by text;

-- step: transaction
create table mail_digest (
  person_id text not null references person (id) on delete cascade,
  workspace_id text not null references workspace (id) on delete cascade,
  told_until timestamptz not null,
  next_at timestamptz not null,
  faults integer not null default 0,
  primary key (person_id, workspace_id)
);
create index mail_digest_workspace on mail_digest (workspace_id);

-- step: online
create index concurrently if not exists conversation_assigned on conversation (assigned_at)
  where assignee_id is not null and status not in ('resolved', 'archived');
create index concurrently if not exists mention_unread on mention (created_at) where read_at is null;
