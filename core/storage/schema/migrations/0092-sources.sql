-- Sources, their runs and items, and the documents that they keep in step.
create table source (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  name text not null,
  kind text not null,
  settings jsonb not null,
  credentials_encrypted text,
  audience text[] not null default '{}',
  include text[] not null default '{}',
  exclude text[] not null default '{}',
  max_items integer not null,
  schedule_minutes integer,
  next_run_at timestamptz,
  paused_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index source_latest on source (workspace_id, created_at desc, id desc);
create index source_due on source (next_run_at) where paused_at is null;
create table source_run (
  id text primary key,
  source_id text not null references source (id) on delete cascade,
  workspace_id text not null,
  number integer not null,
  started_by text not null,
  state text not null check (state in ('queued', 'running', 'finished', 'failed', 'cancelled')),
  list_cursor jsonb,
  listed_at timestamptz,
  settled_at timestamptz,
  is_whole boolean not null default true,
  listed integer not null default 0,
  added integer not null default 0,
  changed integer not null default 0,
  unchanged integer not null default 0,
  gone integer not null default 0,
  removed integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  code text,
  reason text,
  slice integer not null default 0,
  wake_at timestamptz not null,
  holder text,
  reserved_until timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  unique (source_id, number)
);
create index source_run_latest on source_run (source_id, created_at desc, id desc);
create unique index source_run_open on source_run (source_id) where state in ('queued', 'running');
create index source_run_unfinished on source_run (wake_at) where state in ('queued', 'running');
create table source_item (
  source_id text not null references source (id) on delete cascade,
  key text not null,
  workspace_id text not null,
  url text,
  title text,
  version text,
  listed_version text,
  depth integer not null default 0,
  validators jsonb,
  document_id text,
  state text not null check (state in ('waiting', 'current', 'skipped', 'failed', 'gone')),
  code text,
  reason text,
  listed_run integer,
  read_run integer,
  missing_runs integer not null default 0,
  read_at timestamptz,
  primary key (source_id, key)
);
create index source_item_waiting on source_item (source_id, listed_run, depth, key)
  where read_run is distinct from listed_run;
create index source_item_document on source_item (document_id) where document_id is not null;

-- step: transaction
alter table document add column source_id text references source (id) on delete set null;

-- step: online
create index concurrently if not exists document_source on document (source_id) where source_id is not null;
