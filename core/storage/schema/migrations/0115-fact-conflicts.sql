-- Documents whose facts are to be compared with those of the others, since their newest passages were published. A row is
-- deleted when that is done.
create table fact_check (
  document_number integer primary key references document (number) on delete cascade,
  revision integer not null,
  -- Until then another process has it.
  held_until timestamptz not null default '-infinity',
  attempts integer not null default 0
);

-- Pairs of sentences that contradict each other, and sentences that are out of date. The texts are stored too: passages
-- are made anew whenever their document is indexed.
create table fact_conflict (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  -- `past`: a sentence alone, which is out of date after `last_day`.
  kind text not null check (kind in ('number', 'date', 'time', 'duration', 'percent', 'yes-no', 'past')),
  -- `resolved`: a text has changed since.
  status text not null check (status in ('open', 'dismissed', 'resolved')),
  found_at timestamptz not null,
  resolved_at timestamptz,
  -- SHA-256 of documents, texts and kind.
  fingerprint text not null,
  document_number integer not null references document (number) on delete cascade,
  chunk_id integer not null,
  sentence text not null,
  -- In the form in which equal values are equal, and as it is written.
  value text not null,
  mark text not null,
  other_document_number integer references document (number) on delete cascade,
  other_chunk_id integer,
  other_sentence text,
  other_value text,
  other_mark text,
  -- In days since 1970; of `past` alone.
  last_day integer,
  unique (workspace_id, fingerprint)
);
create index fact_conflict_latest on fact_conflict (workspace_id, status, found_at desc, id desc);
create index fact_conflict_document on fact_conflict (document_number);
create index fact_conflict_other_document on fact_conflict (other_document_number);
create index fact_conflict_chunk on fact_conflict (chunk_id) where status = 'open';
create index fact_conflict_other_chunk on fact_conflict (other_chunk_id) where status = 'open';

-- step: batches
-- All documents that were indexed before are compared once.
with batch as (
  select id, number, revision from document where id > :after order by id limit 500
),
queued as (
  insert into fact_check (document_number, revision)
  select number, revision from batch where revision > 0
  on conflict do nothing
)
select max(id) as last from batch;
