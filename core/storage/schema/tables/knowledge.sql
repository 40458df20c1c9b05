-- Documents and their search index.

-- The documents of a workspace that the same visitors may see. A search adds up the scopes that are open to the asker,
-- so no score depends on a text that the asker may not read.
create table scope (
  id integer generated always as identity primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  audience text[] not null,
  chunk_count integer not null default 0,
  term_count bigint not null default 0,
  -- Whether the graph index serves its vectors. A small scope is compared whole, which is exact and as fast, and needs
  -- no index. While `building`, new vectors enter the graph and searches still compare.
  graph text not null default 'none' check (graph in ('none', 'building', 'built')),
  unique (workspace_id, audience),
  -- The oldest analyser version whose terms its postings may have; 0 is unknown.
  analyser integer not null default 0,
  -- Searches read the postings and term counts under `id * words_side`, 1 or -1. A rebuild writes those of the other side,
  -- and swaps the sides when it has reached the newest chunk.
  words_side smallint not null default 1,
  -- Null without a rebuild. `waiting`: the other side is emptied; `building`: it is filled; `cleaning`: the sides were
  -- swapped, and what searches read before is removed.
  rebuild text check (rebuild in ('waiting', 'building', 'cleaning')),
  -- The analyser version that is built, and the last chunk that the other side has, with its counts.
  rebuild_analyser integer,
  rebuild_position integer not null default 0,
  rebuild_chunks integer not null default 0,
  rebuild_terms bigint not null default 0
);

create table document (
  id text primary key,
  -- A short key for the rows of its chunks.
  number integer generated always as identity unique,
  workspace_id text not null references workspace (id) on delete cascade,
  scope_id integer references scope (id),
  -- Identifies a later upload as the same document: the URL, otherwise the file name.
  source_key text not null,
  title text not null,
  -- Whether the upload named the title; otherwise the loader takes the file's own.
  title_given boolean not null,
  url text,
  content_type text,
  file_name text,
  audience text[] not null default '{}',
  status text not null check (status in ('queued', 'indexing', 'indexed', 'failed', 'deleted')),
  progress integer not null default 0,
  failure_code text,
  failure_reason text,
  -- The revision that answers are drawn from; 0 until one is indexed.
  revision integer not null default 0,
  -- The revision that the newest upload becomes.
  wanted_revision integer not null default 1,
  -- SHA-256 of the sources of `revision`: content, title, URL and audience.
  content_hash text,
  byte_count integer not null default 0,
  chunk_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  indexed_at timestamptz,
  -- `file`, `text`, `page`, `demo`, `source` or `curated`; null for documents from before it was stored.
  origin text,
  -- Of a deleted document: status, revision and source key, which a restore puts back. Null once it is final.
  undo jsonb,
  restorable_until timestamptz,
  -- The source that keeps it in step.
  source_id text references source (id) on delete set null,
  unique (workspace_id, source_key)
);
create index document_source on document (source_id) where source_id is not null;
create index document_latest on document (workspace_id, updated_at desc, id desc);
-- For maintenance, which queues jobs that were lost.
create index document_unfinished on document (status) where status in ('queued', 'indexing', 'deleted');
-- The documents that are to be indexed or removed, in the order in which a workspace's are taken.
create index document_pending on document (workspace_id, (revision < 1 and byte_count > 262144), updated_at, number)
  where status in ('queued', 'indexing', 'deleted');

-- The uploaded content, in parts, until it is indexed. That of a failed document stays, so that it can be tried again.
create table document_upload (
  document_number integer not null references document (number) on delete cascade,
  revision integer not null,
  part integer not null,
  data text not null,
  primary key (document_number, revision, part)
);

-- The work of a worker on a document whose newest content is not in the index yet, or whose earlier passages are not
-- removed yet. Made when a worker first takes the document; deleted when nothing is left to do.
create table indexing_lease (
  document_number integer primary key references document (number) on delete cascade,
  workspace_id text not null,
  -- The wanted revision of the document at that time.
  revision integer not null,
  -- The worker that has it; null between two slices.
  holder text,
  process_id text,
  -- Until then no other worker takes it: the end of the lease, or of a pause after an error.
  held_until timestamptz not null,
  -- How often it was taken since something was stored last.
  attempts integer not null,
  -- The passages of the revision, and what the file says of itself. Null until it is read.
  passages integer,
  title text,
  url text
);
create index indexing_lease_workspace on indexing_lease (workspace_id);

-- Passages that were read and are not in the index yet.
create table indexing_passage (
  document_number integer not null references document (number) on delete cascade,
  ordinal integer not null,
  headings text[] not null,
  body text not null,
  primary key (document_number, ordinal),
  place jsonb
);

-- When a document of a workspace was last taken: workspaces take turns.
create table indexing_turn (
  workspace_id text primary key references workspace (id) on delete cascade,
  at timestamptz not null
);

-- A passage of a document: the unit of search.
create table chunk (
  id integer generated always as identity primary key,
  document_number integer not null references document (number),
  scope_id integer not null,
  revision integer not null,
  -- The document's title when the terms were counted: the same title is needed to subtract them again.
  title text not null,
  ordinal integer not null,
  headings text[] not null,
  body text not null,
  -- SHA-256 of the embedded text.
  text_hash text not null,
  unique (document_number, revision, ordinal),
  -- Where in its document it stands; null if the format does not tell.
  place jsonb
);
-- The same text in a workspace is embedded once.
create index chunk_text on chunk (scope_id, text_hash);
-- Counts the chunks of a scope, and reads them in order when its words are indexed anew.
create index chunk_scope on chunk (scope_id, id);

-- Vectors of the built-in model. Apart from chunk, and stored inline: a search reads thousands of vectors.
create table chunk_vector (
  chunk_id integer primary key references chunk (id) on delete cascade,
  scope_id integer not null,
  in_graph boolean not null,
  embedding vector(384) not null
);
alter table chunk_vector alter column embedding set storage plain;
create index chunk_vector_scope on chunk_vector (scope_id, in_graph);
create index chunk_vector_near on chunk_vector using hnsw (embedding vector_ip_ops)
  with (m = 16, ef_construction = 40) where in_graph;

-- Embedding models of providers. The built-in model has no row; its number is 0.
create table embedding_model (
  id integer generated always as identity primary key,
  -- provider:model
  name text not null unique,
  dimensions integer not null,
  -- Mean cosine of questions with other passages and with their own, over texts that are part of Parley. Null for a
  -- model from a version that did not measure them.
  unrelated_cosine double precision,
  related_cosine double precision
);

-- Vectors of providers' models, beside those of the built-in one. A vector of up to 2,000 dimensions is stored inline.
-- Each model has a graph index of its own, which is created with its row in embedding_model.
create table model_vector (
  chunk_id integer not null references chunk (id) on delete cascade,
  model_id integer not null references embedding_model (id),
  scope_id integer not null,
  in_graph boolean not null,
  embedding vector not null,
  primary key (chunk_id, model_id)
);
alter table model_vector alter column embedding set storage main;
create index model_vector_scope on model_vector (model_id, scope_id, in_graph);
-- The vectors of a chunk's sentences, each embedded with the document's title: what orders the candidates of a question
-- and chooses the sentences of an answer. Read for those candidates only. No row until they are made.
create table sentence_vector (
  chunk_id integer primary key references chunk (id) on delete cascade,
  scope_id integer not null,
  -- Signed bytes, 384 a sentence. Empty in a language that the built-in model cannot read.
  vectors bytea not null
) with (toast_tuple_target = 8160);
-- The bytes are not compressible and are read whole, so a row stays in the table up to the size of a page.
alter table sentence_vector alter column vectors set storage external;

-- The inverted index: how often a term occurs in a chunk. All columns are in the key, so a search reads the index
-- alone.
create table posting (
  -- The scope's id, or its negative: see scope.words_side.
  scope_id integer not null,
  term integer not null,
  chunk_id integer not null,
  term_frequency smallint not null,
  chunk_length smallint not null,
  primary key (scope_id, term, chunk_id) include (term_frequency, chunk_length)
);

-- The number of chunks of a scope that contain a term.
create table term_count (
  -- As in posting.
  scope_id integer not null,
  term integer not null,
  chunk_count integer not null,
  primary key (scope_id, term)
);

-- The version of a workspace's documents, changed by the trigger note_corpus. Processes that hold a small workspace in
-- memory compare it. No row until the first document is indexed.
create table corpus (
  workspace_id text primary key references workspace (id) on delete cascade,
  version uuid not null,
  -- The embedding model with which its documents are searched; 0 is the built-in one.
  model_id integer not null default 0,
  -- The model whose vectors are being made beside those of `model_id`, and until when a worker has the work.
  next_model_id integer,
  reserved_until timestamptz
);

-- How often answers rest on a document, by day (UTC), with the visitors' opinions. Counted by maintenance.
create table document_day (
  document_id text not null references document (id) on delete cascade,
  day date not null,
  answers integer not null,
  rated integer not null,
  disliked integer not null,
  primary key (document_id, day)
);

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
