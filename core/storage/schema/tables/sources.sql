-- Sources: websites, folders and tools whose pages become documents and stay in step, with their runs and items.

create table source (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  name text not null,
  kind text not null,
  -- As they were given, without the defaults of the kind.
  settings jsonb not null,
  credentials_encrypted text,
  audience text[] not null default '{}',
  -- Patterns of the addresses that are read, and of those that are not.
  include text[] not null default '{}',
  exclude text[] not null default '{}',
  max_items integer not null,
  -- Null: a run is started by hand only.
  schedule_minutes integer,
  next_run_at timestamptz,
  paused_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Since when the dates of its list are not believed, because a page changed without one: the address of that page.
  lastmod_distrusted_at timestamptz,
  lastmod_sample text,
  -- The number of the run that waits for an owner. Owners are mailed once: `hold_told_at`.
  held_run integer,
  held_at timestamptz,
  hold_told_at timestamptz,
  hold_mail_faults integer not null default 0,
  -- Counts up with each rule, and the version of the cutter and of the rules that all its pages were cut with.
  rules_version integer not null default 0,
  cut_version text,
  -- Where the changes begin that the next run asks for. Null: it asks for the whole list.
  feed jsonb,
  -- Of the webhook by which the tool tells of changes. Without a secret, one is awaited until the time.
  hook_secret_encrypted text,
  hook_since timestamptz,
  hook_awaits_until timestamptz,
  -- The last call that was believed.
  hook_called_at timestamptz
);
create index source_latest on source (workspace_id, created_at desc, id desc);
create index source_due on source (next_run_at) where paused_at is null;
create index source_hold_untold on source (held_at) where held_run is not null and hold_told_at is null;

-- One reading of a source. Its rows hold everything that the next slice of work needs.
create table source_run (
  id text primary key,
  source_id text not null references source (id) on delete cascade,
  workspace_id text not null,
  number integer not null,
  -- The name in the audit log, or `schedule`.
  started_by text not null,
  -- `held`: its changes are implausible, and wait for an owner or for a later run.
  state text not null check (state in ('queued', 'running', 'finished', 'failed', 'cancelled', 'held')),
  -- Where the list continues. `listed_at` is set at its end, `settled_at` when the items were compared with the list.
  list_cursor jsonb,
  listed_at timestamptz,
  settled_at timestamptz,
  -- False if the list left out items, so that nothing can be concluded from what is missing in it.
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
  -- The number of the next slice: a job for another one is outdated.
  slice integer not null default 0,
  -- When the next slice is due: later if the tool asked to wait.
  wake_at timestamptz not null,
  -- The worker that holds the run, until it renews it.
  holder text,
  reserved_until timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- Whether every item is read, without conditions.
  is_full boolean not null default false,
  -- Whether the source has a list of its items, and not only a start whose links are followed.
  has_list boolean not null default false,
  -- Set once all items are read, before anything is replaced or removed. `accepted`: an owner applies what was held.
  verdict text check (verdict in ('plausible', 'held', 'accepted')),
  -- What would be removed and changed: the rules, the numbers and samples.
  hold jsonb,
  hold_outcome text check (hold_outcome in ('applied', 'discarded', 'released')),
  -- Whether it reads nothing, and only cuts stored pages anew.
  is_cut boolean not null default false,
  -- Items that its pages link to and its list does not name.
  unlisted integer not null default 0,
  -- Where the changes after this run begin, and whether it lists changes itself.
  feed jsonb,
  lists_changes boolean not null default false,
  -- Whether it reads only items that somebody has named as changed (`source_notice`). It may go beside a whole one.
  is_partial boolean not null default false,
  -- What a partial run did, for the brake: small runs in a row are judged together.
  effect jsonb,
  unique (source_id, number)
);
create index source_run_latest on source_run (source_id, created_at desc, id desc);
-- A source has one whole run at a time, and one of changes.
create unique index source_run_open_once on source_run (source_id, is_partial) where state in ('queued', 'running');
create index source_run_unfinished on source_run (wake_at) where state in ('queued', 'running');

-- A page, file or article of a source. The numbers are those of runs.
create table source_item (
  source_id text not null references source (id) on delete cascade,
  key text not null,
  workspace_id text not null,
  url text,
  title text,
  -- The version of its last reading, and the one that the list named last.
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
  -- Finished runs in a row that did not find it.
  missing_runs integer not null default 0,
  read_at timestamptz,
  -- The last run in which the source itself named it, by its list or by a link.
  named_run integer,
  -- The key of the item that replaces it. Its document stays until that one answers.
  moved_to text,
  -- Of the text of its document: its characters, and hashes of its words. Null: read before they were stored.
  size integer,
  fingerprint text,
  -- How a website names it: in its list, as a feed, or beyond its list. Null: links were followed from the start.
  origin text check (origin in ('list', 'feed', 'beyond')),
  -- The run that failed to read it once and reads it again at its end.
  retried_run integer,
  -- The key of the item that it belongs to, such as the page of an attachment.
  part_of text,
  primary key (source_id, key)
);
create index source_item_trouble on source_item (source_id, state) where state in ('failed', 'gone');
create index source_item_moved on source_item (source_id, moved_to) where moved_to is not null;
create index source_item_waiting on source_item (source_id, listed_run, depth, key)
  where read_run is distinct from listed_run;
create index source_item_document on source_item (document_id) where document_id is not null;
create index source_item_parts on source_item (source_id, part_of) where part_of is not null;
-- Addresses that differ in their parameters only are counted.
create index source_item_variants on source_item (source_id, split_part(key, '?', 1)) where strpos(key, '?') > 0;

-- What is left of a page after the blocks of its site were cut, to find pages with the same text.
create table source_page (
  source_id text not null,
  key text not null,
  workspace_id text not null,
  text_hash text not null,
  -- Hashes of all its blocks. Set for a sample of at most 128 pages of a source, from which its template is learnt.
  blocks text[],
  -- The item with the same text, which is the document.
  copy_of text,
  primary key (source_id, key),
  foreign key (source_id, key) references source_item (source_id, key) on delete cascade,
  -- As it was fetched; null if it was not stored. What cut it: the cutter, the template around it and the rules.
  tree_hash text,
  fetched_at timestamptz,
  cut_version text,
  cut_at timestamptz
);
create index source_page_text on source_page (source_id, text_hash);
create index source_page_sample on source_page (source_id) where blocks is not null;
create index source_page_copies on source_page (source_id, copy_of) where copy_of is not null;
create index source_page_tree on source_page (workspace_id, tree_hash) where tree_hash is not null;

-- A page as it was fetched: its tree without scripts and what no loader reads, before anything is cut. Compressed, once for
-- all pages of a workspace with the same tree, and deleted with the last of them.
create table page_tree (
  workspace_id text not null references workspace (id) on delete cascade,
  hash text not null,
  bytes bytea not null,
  primary key (workspace_id, hash)
);

-- What people say of blocks that were cut or kept.
create table source_rule (
  id text primary key,
  source_id text not null references source (id) on delete cascade,
  workspace_id text not null,
  -- The page; null: all pages of the source.
  key text,
  -- The hash of the block, and the beginning of its text.
  block text not null,
  action text not null check (action in ('keep', 'cut')),
  sample text not null,
  created_by text not null,
  created_at timestamptz not null
);
create unique index source_rule_block on source_rule (source_id, block, coalesce(key, ''));

-- What a run has read and not published: the content that replaces a document once the whole run is found plausible.
create table source_change (
  source_id text not null references source (id) on delete cascade,
  key text not null,
  workspace_id text not null,
  run integer not null,
  title text,
  url text,
  content_type text not null,
  file_name text,
  audience text[] not null,
  version text,
  validators jsonb,
  -- Characters of text, before and now. Null: unknown.
  size_before integer,
  size integer not null,
  -- Hashes of the words, without numbers and with them.
  fingerprint text not null,
  -- The key of the item whose document it takes over, because that item moved here.
  takes_from text,
  primary key (source_id, key)
);

create table source_change_part (
  source_id text not null,
  key text not null,
  part integer not null,
  data text not null,
  primary key (source_id, key, part),
  foreign key (source_id, key) references source_change (source_id, key) on delete cascade
);

-- An item that somebody has named as changed, until the run that reads it has ended.
create table source_notice (
  source_id text not null references source (id) on delete cascade,
  key text not null,
  workspace_id text not null,
  -- Its document is removed if the reading finds nothing.
  is_deletion boolean not null,
  noticed_at timestamptz not null,
  -- The number of the run that reads it.
  run integer,
  read_at timestamptz,
  primary key (source_id, key)
);
create index source_notice_waiting on source_notice (source_id, noticed_at) where run is null;

-- Signatures of calls of webhooks, so that a call that is sent again does nothing.
create table source_hook_call (
  source_id text not null references source (id) on delete cascade,
  signature text not null,
  received_at timestamptz not null,
  primary key (source_id, signature)
);
create index source_hook_call_age on source_hook_call (received_at);
