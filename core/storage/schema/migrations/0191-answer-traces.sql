-- How an answer was made (core/contract/trace/stored-trace.ts), and people's judgements of answers.
alter table message add column trace jsonb;

-- step: transaction
create table answer_review (
  message_id text primary key references message (id) on delete cascade,
  workspace_id text not null,
  verdict text not null check (verdict in ('right', 'wrong', 'not_ours')),
  -- The name that the person had, and their id. Null: the operator's token.
  reviewer text not null,
  person_id text,
  at timestamptz not null
);

-- step: online
create index concurrently if not exists message_answer on message (workspace_id, created_at desc, id desc)
  where role = 'assistant' and purpose is null;
create index concurrently if not exists message_traced on message (workspace_id, created_at) where trace is not null;
