-- Exports of other help desks, and what today's documents answer to the first question of each ticket.
create table ticket_import (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  file_name text not null,
  bytes bigint not null,
  -- Null until the file was looked at.
  format text check (format in ('mbox', 'zendesk', 'intercom', 'chatwoot')),
  state text not null check (state in ('uploading', 'reading', 'answering', 'finished', 'cancelled', 'failed')),
  -- Why it failed.
  failure text check (failure in ('unknown_format', 'no_tickets')),
  -- Whom the questions are answered for.
  audience text[] not null,
  -- `provider:model`, or `none` to quote documents. Null: the workspace's own.
  model text,
  started_by text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  bytes_read bigint not null default 0,
  -- Records without a ticket, by reason, and the first of them.
  omitted jsonb not null default '{}',
  omitted_examples jsonb not null default '[]',
  tickets integer not null default 0,
  agrees_count integer not null default 0,
  differs_count integer not null default 0,
  maybe_count integer not null default 0,
  none_count integer not null default 0,
  no_question_count integer not null default 0,
  error_count integer not null default 0,
  slice integer not null default 0,
  -- Until then a process works on it.
  held_until timestamptz not null default '-infinity'
);
create index ticket_import_latest on ticket_import (workspace_id, created_at desc, id desc);
create unique index ticket_import_running on ticket_import (workspace_id)
  where state in ('reading', 'answering');

-- The uploaded bytes in Base64, until they are read.
create table ticket_import_part (
  import_id text not null references ticket_import (id) on delete cascade,
  part integer not null,
  data text not null,
  primary key (import_id, part)
);

-- Masked: without secrets, addresses, telephone numbers and names.
create table imported_ticket (
  id text primary key,
  import_id text not null references ticket_import (id) on delete cascade,
  external_id text not null,
  -- When it was asked; when it was imported if the export does not tell.
  at timestamptz not null,
  language text,
  question text not null,
  -- The agent's first reply with a statement.
  reply text not null,
  tags text[] not null,
  rating smallint check (rating between 1 and 5),
  verdict text check (verdict in ('agrees', 'differs', 'maybe', 'none', 'no_question', 'error')),
  -- The reason of the verdict.
  because text,
  -- The cosine of answer and reply.
  likeness real,
  answer text,
  probability real,
  source_id text,
  source_title text,
  -- Whether it is in the sample that people judge.
  is_sampled boolean not null default false,
  judgement text check (judgement in ('right', 'agent_wrong', 'wrong', 'unclear')),
  judged_by text,
  judged_at timestamptz,
  unique (import_id, external_id)
);
create index imported_ticket_waiting on imported_ticket (import_id, id) where verdict is null;
create index imported_ticket_verdict on imported_ticket (import_id, verdict, at desc, id desc);
create index imported_ticket_sample on imported_ticket (import_id, id) where is_sampled;
