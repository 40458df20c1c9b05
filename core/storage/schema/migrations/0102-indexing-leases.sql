-- Leases of documents that are being indexed, with the passages that were read. A document that an earlier version left
-- half indexed has no lease: a worker takes it and begins anew.
create table indexing_lease (
  document_number integer primary key references document (number) on delete cascade,
  workspace_id text not null,
  revision integer not null,
  holder text,
  process_id text,
  held_until timestamptz not null,
  attempts integer not null,
  passages integer,
  title text,
  url text
);
create index indexing_lease_workspace on indexing_lease (workspace_id);

create table indexing_passage (
  document_number integer not null references document (number) on delete cascade,
  ordinal integer not null,
  headings text[] not null,
  body text not null,
  primary key (document_number, ordinal)
);

create table indexing_turn (
  workspace_id text primary key references workspace (id) on delete cascade,
  at timestamptz not null
);

-- step: online
create index concurrently if not exists document_pending
  on document (workspace_id, (revision < 1 and byte_count > 262144), updated_at, number)
  where status in ('queued', 'indexing', 'deleted');
create index concurrently if not exists chunk_text on chunk (scope_id, text_hash);
drop index concurrently if exists document_waiting;
