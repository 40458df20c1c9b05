-- Changes that are tried before visitors meet them.
create table change_set (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  name text not null,
  state text not null check (state in ('staged', 'published', 'undone')),
  -- Counts the changes of its items. A trial of an earlier revision tells nothing.
  revision integer not null default 1,
  -- The hidden workspace with its documents. Null: it has none.
  staging_id text references workspace (id) on delete set null,
  created_by text not null,
  created_at timestamptz not null,
  published_by text,
  published_at timestamptz,
  undone_by text,
  undone_at timestamptz
);
create index change_set_latest on change_set (workspace_id, created_at desc, id desc);
create index change_set_staging on change_set (staging_id) where staging_id is not null;

create table change_item (
  id text primary key,
  change_set_id text not null references change_set (id) on delete cascade,
  workspace_id text not null,
  -- A kind of core/changes/change-item.ts.
  kind text not null,
  -- The change and, of a document, its content.
  change jsonb not null,
  -- The changed thing as it was when the item was staged.
  base jsonb not null,
  -- The document that the item changes; of a new one, since it is published.
  document_id text,
  -- Its document in the hidden workspace.
  staged_document_id text,
  -- The values for an undo. Null until the set is published.
  kept jsonb,
  created_at timestamptz not null
);
create index change_item_set on change_item (change_set_id, id);
