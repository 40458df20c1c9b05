create extension if not exists vector;

create table setting (
  name text primary key,
  value text not null
);

create table owner (
  id text primary key,
  created_at timestamptz not null
);

create table workspace (
  id text primary key,
  owner_id text not null references owner (id),
  name text not null,
  plan text not null check (plan in ('free', 'starter', 'growth', 'business', 'enterprise')),
  settings jsonb not null default '{}',
  -- Needed in clear to check a visitor's HMAC, so it is encrypted, not hashed.
  identity_secret_encrypted text not null,
  public_token text not null unique,
  created_at timestamptz not null,
  -- Set at once when it is deleted; its rows go in the background.
  deleted_at timestamptz
);
create index workspace_owner on workspace (owner_id);

create table api_key (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  name text not null,
  -- SHA-256 of the key, lower-case hexadecimal; the key itself is never stored.
  key_hash text not null unique,
  -- The last four characters, so that a person can tell two keys apart.
  key_ending text not null,
  rate_limit_minute integer not null,
  rate_limit_day integer not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null
);
create index api_key_workspace on api_key (workspace_id, id);

create table conversation (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  channel text not null,
  status text not null default 'open',
  session_id text,
  started_at timestamptz not null,
  last_message_at timestamptz not null,
  resolved_at timestamptz,
  message_count integer not null default 0,
  customer_email text,
  customer_name text,
  customer_phone text,
  tags text[] not null default '{}'
);
create index conversation_latest on conversation (workspace_id, last_message_at desc, id desc);

create table message (
  id text primary key,
  conversation_id text not null references conversation (id) on delete cascade,
  workspace_id text not null,
  -- Order within the conversation: a question and its answer are stored at the same instant.
  position integer not null,
  role text not null check (role in ('user', 'assistant', 'agent')),
  content text not null,
  created_at timestamptz not null,
  sources jsonb,
  tokens_used integer,
  confidence text,
  -- The calibrated score of the best passage, kept so that an operator can see how the scores are spread.
  score real,
  skills_fired text[],
  latency_ms integer,
  metadata jsonb,
  unique (conversation_id, position)
);

-- The documents of a workspace that the same visitors may see: searches add up the scopes open to the asker,
-- so no score depends on a text that the asker may not read.
create table scope (
  id integer generated always as identity primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  audience text[] not null,
  chunk_count integer not null default 0,
  term_count bigint not null default 0,
  -- Whether its vectors are searched by the graph index: small scopes are compared whole, which is exact, as fast,
  -- and spares them the index. While it is `building`, new vectors go into the graph and searches still compare.
  graph text not null default 'none' check (graph in ('none', 'building', 'built')),
  unique (workspace_id, audience)
);

create table document (
  id text primary key,
  number integer generated always as identity unique,
  workspace_id text not null references workspace (id) on delete cascade,
  scope_id integer references scope (id),
  -- What makes a later upload the same document: its address, else its file name.
  source_key text not null,
  title text not null,
  -- Whether the uploader named it; else the file's own title is taken when it is read.
  title_given boolean not null,
  url text,
  content_type text,
  file_name text,
  audience text[] not null default '{}',
  status text not null check (status in ('queued', 'indexing', 'indexed', 'failed', 'deleted')),
  progress integer not null default 0,
  failure_code text,
  failure_reason text,
  -- The revision that answers are drawn from; 0 while nothing has been indexed yet.
  revision integer not null default 0,
  -- The revision that the newest upload will become.
  wanted_revision integer not null default 1,
  -- SHA-256 of what revision was made from: content, title, url and audience.
  content_hash text,
  byte_count integer not null default 0,
  chunk_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  indexed_at timestamptz,
  unique (workspace_id, source_key)
);
create index document_latest on document (workspace_id, updated_at desc, id desc);
create index document_unfinished on document (status) where status in ('queued', 'indexing', 'deleted');

-- What was uploaded, in parts, until it is indexed or has failed.
create table document_upload (
  document_number integer not null references document (number) on delete cascade,
  revision integer not null,
  part integer not null,
  data text not null,
  primary key (document_number, revision, part)
);

create table chunk (
  id integer generated always as identity primary key,
  document_number integer not null references document (number),
  scope_id integer not null,
  revision integer not null,
  -- The document's title when the terms were counted: they are counted out under the same one.
  title text not null,
  ordinal integer not null,
  headings text[] not null,
  body text not null,
  -- SHA-256 of what was embedded: the same text is never embedded twice for one document.
  text_hash text not null,
  unique (document_number, revision, ordinal)
);

-- Apart from chunk, and never out of line: distances are read from it thousands at a time.
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

create table posting (
  scope_id integer not null,
  term integer not null,
  chunk_id integer not null,
  term_frequency smallint not null,
  chunk_length smallint not null,
  primary key (scope_id, term, chunk_id) include (term_frequency, chunk_length)
);

create table term_count (
  scope_id integer not null references scope (id) on delete cascade,
  term integer not null,
  chunk_count integer not null,
  primary key (scope_id, term)
);
