-- Visitors rate conversations that a person resolved.
create table conversation_rating (
  conversation_id text primary key references conversation (id) on delete cascade,
  workspace_id text not null,
  person_id text references person (id) on delete set null,
  asked_at timestamptz not null,
  score smallint check (score between 1 and 5),
  comment text,
  rated_at timestamptz
);
create index conversation_rating_person on conversation_rating (person_id) where person_id is not null;
