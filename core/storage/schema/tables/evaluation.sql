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
  origin text not null check (origin in ('right', 'wrong', 'upload', 'hand', 'sampled')),
  -- Of the newest run that asked it.
  last_outcome text,
  last_because text,
  last_answer text,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Of a scripted customer, whose goal the question is: the messages with what must hold of the replies
  -- (core/evaluation/scripts/judge-turn.ts), the kind of the channel, and the turns of the newest run.
  turns jsonb,
  channel text,
  last_turns jsonb,
  unique (workspace_id, fingerprint)
);
create index test_question_latest on test_question (workspace_id, created_at desc, id desc);
create index test_question_document on test_question (document_id);

create table test_run (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  state text not null check (state in ('running', 'finished', 'cancelled')),
  reason text not null check (reason in ('hand', 'nightly', 'change_set')),
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
  held_until timestamptz not null default '-infinity',
  -- The change set that it tries, and its revision. Null: it asks the live workspace alone.
  change_set_id text references change_set (id) on delete cascade,
  change_set_revision integer
);
create index test_run_latest on test_run (workspace_id, created_at desc, id desc);
create unique index test_run_running on test_run (workspace_id) where state = 'running';
create index test_run_change_set on test_run (change_set_id, created_at desc) where change_set_id is not null;

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
  -- Of a run that tries a change set: the answer without it, and the word of a person on the difference.
  live jsonb,
  verdict text check (verdict in ('better', 'fine', 'worse')),
  -- Of a scripted customer: the turns as they were played.
  turns jsonb,
  primary key (run_id, question_id)
);
create index test_result_question on test_result (question_id);

-- Topics that visitors ask about without getting an answer.
create table gap (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  kind text not null check (kind in ('nothing', 'refused', 'person')),
  -- ISO 639-1: questions of two languages never share a gap.
  language text not null,
  state text not null check (state in ('open', 'planned', 'done', 'dismissed')),
  -- The answer whose question is nearest to the middle of all.
  representative_id text,
  -- When it was done or dismissed. Questions after it open it again.
  closed_at timestamptz,
  changed_by text,
  -- The curated answer that was written for it.
  answer_id text references document (id) on delete set null,
  -- Since when all its questions are to be asked again on trial. Null: no check was asked for.
  check_from timestamptz,
  check_slice integer not null default 0,
  -- Until then a process asks its questions.
  held_until timestamptz not null default '-infinity',
  created_at timestamptz not null
);
create index gap_state on gap (workspace_id, state);
create index gap_answer on gap (answer_id) where answer_id is not null;
create index gap_check on gap (check_from) where check_from is not null;

-- The answers that left a visitor without one, and the gap of each.
create table gap_question (
  -- That of the answer.
  message_id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  -- Null: what was said is no question, or is counted already.
  gap_id text references gap (id) on delete cascade,
  -- The visitor's message.
  question_id text,
  conversation_id text not null references conversation (id) on delete cascade,
  asked_at timestamptz not null,
  -- The embedding model of the vector; -1: hashed words.
  model_id integer,
  embedding vector,
  -- What is answered today, as the newest check found it.
  checked_at timestamptz,
  tier text check (tier in ('answer', 'maybe', 'none'))
);
create index gap_question_gap on gap_question (gap_id, asked_at desc);
create index gap_question_workspace on gap_question (workspace_id, asked_at);
create index gap_question_conversation on gap_question (conversation_id);
create unique index gap_question_question on gap_question (question_id);

-- When the questions of a workspace were last sorted into gaps.
create table gap_round (
  workspace_id text primary key references workspace (id) on delete cascade,
  at timestamptz not null
);

-- The sampled answers that a person has decided about: they are not proposed again.
create table sampled_answer (
  message_id text primary key references message (id) on delete cascade,
  workspace_id text not null references workspace (id) on delete cascade,
  decision text not null check (decision in ('right', 'nothing', 'skip')),
  decided_by text not null,
  at timestamptz not null
);
create index sampled_answer_workspace on sampled_answer (workspace_id);
