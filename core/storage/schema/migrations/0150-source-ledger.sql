-- Pages of websites as they were fetched, which are cut anew without a request, and what people say of their blocks.
create table page_tree (
  workspace_id text not null references workspace (id) on delete cascade,
  hash text not null,
  bytes bytea not null,
  primary key (workspace_id, hash)
);

create table source_rule (
  id text primary key,
  source_id text not null references source (id) on delete cascade,
  workspace_id text not null,
  key text,
  block text not null,
  action text not null check (action in ('keep', 'cut')),
  sample text not null,
  created_by text not null,
  created_at timestamptz not null
);
create unique index source_rule_block on source_rule (source_id, block, coalesce(key, ''));

alter table source
  add column rules_version integer not null default 0,
  add column cut_version text;

alter table source_run add column is_cut boolean not null default false;

alter table source_page
  add column tree_hash text,
  add column fetched_at timestamptz,
  add column cut_version text,
  add column cut_at timestamptz;

-- step: online
create index concurrently if not exists source_page_tree on source_page (workspace_id, tree_hash) where tree_hash is not null;
