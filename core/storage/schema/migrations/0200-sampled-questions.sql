-- Test questions that were sampled from what visitors asked.
alter table test_question drop constraint test_question_origin_check;
alter table test_question add constraint test_question_origin_check
  check (origin in ('right', 'wrong', 'upload', 'hand', 'sampled'));

-- step: transaction
-- The sampled answers that a person has decided about: they are not proposed again.
create table sampled_answer (
  message_id text primary key references message (id) on delete cascade,
  workspace_id text not null references workspace (id) on delete cascade,
  decision text not null check (decision in ('right', 'nothing', 'skip')),
  decided_by text not null,
  at timestamptz not null
);
create index sampled_answer_workspace on sampled_answer (workspace_id);
