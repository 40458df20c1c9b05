-- The inbox: assignment, what agents have read, drafts, saved views, availability and bulk actions.
alter table conversation
  add column assignee_id text references person (id) on delete set null,
  add column assigned_at timestamptz,
  add column visitor_position integer not null default -1;

-- step: transaction
alter table message add column request_key text;

-- step: transaction
alter table note
  add column person_id text references person (id) on delete set null,
  add column mentions text[] not null default '{}',
  add column edited_at timestamptz;
alter table snippet add column actions jsonb not null default '{}';

-- step: transaction
create table conversation_seen (
  person_id text not null references person (id) on delete cascade,
  conversation_id text not null references conversation (id) on delete cascade,
  position integer not null,
  seen_at timestamptz not null,
  primary key (person_id, conversation_id)
);
create index conversation_seen_conversation on conversation_seen (conversation_id);

create table conversation_draft (
  person_id text not null references person (id) on delete cascade,
  conversation_id text not null references conversation (id) on delete cascade,
  kind text not null check (kind in ('reply', 'note')),
  content text not null,
  updated_at timestamptz not null,
  primary key (person_id, conversation_id)
);
create index conversation_draft_conversation on conversation_draft (conversation_id);

create table saved_view (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  person_id text references person (id) on delete cascade,
  name text not null,
  filters jsonb not null,
  sort text not null check (sort in ('latest', 'waiting', 'sla_due')),
  place integer not null,
  created_by text not null,
  created_at timestamptz not null
);
create index saved_view_workspace on saved_view (workspace_id, place, id);
create index saved_view_person on saved_view (person_id) where person_id is not null;

create table inbox_agent (
  workspace_id text not null references workspace (id) on delete cascade,
  person_id text not null references person (id) on delete cascade,
  available boolean not null,
  changed_at timestamptz not null,
  last_assigned_at timestamptz,
  primary key (workspace_id, person_id)
);
create index inbox_agent_person on inbox_agent (person_id);

create table conversation_action (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  person_id text references person (id) on delete cascade,
  actor text not null,
  change jsonb not null,
  status text not null check (status in ('waiting', 'running', 'aborted', 'done', 'undoing', 'undone')),
  total integer not null,
  done integer not null default 0,
  changed integer not null default 0,
  undone integer not null default 0,
  created_at timestamptz not null,
  starts_at timestamptz not null,
  finished_at timestamptz
);
create index conversation_action_workspace on conversation_action (workspace_id, created_at desc);
create index conversation_action_person on conversation_action (person_id) where person_id is not null;
create index conversation_action_unfinished on conversation_action (starts_at)
  where status in ('waiting', 'running', 'undoing');

create table conversation_action_item (
  action_id text not null references conversation_action (id) on delete cascade,
  number integer not null,
  conversation_id text not null,
  before jsonb,
  after jsonb,
  primary key (action_id, number)
);

-- step: online
create index concurrently if not exists conversation_assignee
  on conversation (assignee_id, workspace_id, last_message_at desc, id desc)
  where assignee_id is not null;
create index concurrently if not exists conversation_active
  on conversation (workspace_id, last_message_at desc, id desc)
  where status in ('open', 'claimed', 'escalated');
create index concurrently if not exists conversation_attended
  on conversation (workspace_id, last_message_at desc, id desc)
  include (visitor_position)
  where (handover_since is not null or assignee_id is not null) and status not in ('resolved', 'archived');
create unique index concurrently if not exists message_request on message (conversation_id, request_key)
  where request_key is not null;
create index concurrently if not exists message_low on message (workspace_id, created_at) include (conversation_id)
  where confidence = 'low';
create index concurrently if not exists note_person on note (person_id) where person_id is not null;

-- step: batches
-- Others get it with their next message: only these can be unread.
with batch as (
  select id from conversation where id > :after and handover_since is not null order by id limit 200
  for no key update
),
changed as (
  update conversation
  set visitor_position = coalesce(
    (select max(position) from message where conversation_id = conversation.id and role = 'user'), -1
  )
  where id in (select id from batch) and visitor_position = -1
)
select max(id) as last from batch;
