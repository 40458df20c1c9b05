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

-- step: online
create index concurrently if not exists message_escalated on message (workspace_id, created_at)
  where 'escalate_to_human' = any(skills_fired);
