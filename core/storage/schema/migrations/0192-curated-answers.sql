-- Questions with the answers that people wrote for them. Each is a document of its own kind, whose text comes from here.
create table curated_answer (
  -- That of its document.
  id text primary key references document (id) on delete cascade,
  workspace_id text not null references workspace (id) on delete cascade,
  question text not null,
  phrasings text[] not null,
  -- The question and its phrasings in folded letters and digits: an asked question that equals one of them finds it first.
  keys text[] not null,
  -- `unknown`: the question is not answered; `person`: a person is called for it.
  action text not null check (action in ('answer', 'unknown', 'person')),
  -- Markdown; null unless the action is `answer`.
  answer text,
  -- From then on nothing finds it.
  valid_until timestamptz,
  changed_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index curated_answer_latest on curated_answer (workspace_id, updated_at desc, id desc);
