-- How often answers rest on a document, by day, with the visitors' opinions.
create table document_day (
  document_id text not null references document (id) on delete cascade,
  day date not null,
  answers integer not null,
  rated integer not null,
  disliked integer not null,
  primary key (document_id, day)
);

-- step: online
create index concurrently if not exists message_answered on message (created_at) where confidence in ('high', 'medium');
create index concurrently if not exists message_rated on message (feedback_at) where feedback_at is not null;
