-- Questions whose right answers are known, and what today's documents answer to them.
create table test_question (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  question text not null,
  -- SHA-256 of the question in lower case and its audience.
  fingerprint text not null,
  audience text[] not null,
  language text,
  expects text not null check (expects in ('answer', 'nothing')),
  -- Texts of which a right answer has one.
  accepted text[] not null,
  -- An answer in a person's words.
  said text,
  document_id text references document (id) on delete set null,
  section text,
  origin text not null check (origin in ('right', 'wrong', 'upload', 'hand')),
  -- Of the newest run that asked it.
  last_outcome text,
  last_because text,
  last_answer text,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (workspace_id, fingerprint)
);
create index test_question_latest on test_question (workspace_id, created_at desc, id desc);
create index test_question_document on test_question (document_id);

create table test_run (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  state text not null check (state in ('running', 'finished', 'cancelled')),
  reason text not null check (reason in ('hand', 'nightly')),
  started_by text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  questions integer not null,
  right_count integer not null default 0,
  unsure_count integer not null default 0,
  wrong_count integer not null default 0,
  refused_count integer not null default 0,
  slice integer not null default 0,
  -- Until then a process answers questions of it.
  held_until timestamptz not null default '-infinity'
);
create index test_run_latest on test_run (workspace_id, created_at desc, id desc);
create unique index test_run_running on test_run (workspace_id) where state = 'running';

create table test_result (
  run_id text not null references test_run (id) on delete cascade,
  question_id text not null references test_question (id) on delete cascade,
  outcome text not null check (outcome in ('right', 'unsure', 'wrong', 'refused', 'error')),
  tier text,
  probability real,
  answer text not null,
  source_id text,
  source_title text,
  because text not null,
  primary key (run_id, question_id)
);
create index test_result_question on test_result (question_id);
