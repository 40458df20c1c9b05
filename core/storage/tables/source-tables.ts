import type { ColumnType, Generated } from 'kysely';

/** Written as JSON text, read as a parsed value. */
type Json = ColumnType<unknown, string | null | undefined, string | null>;

/** Optional on insert. */
type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;

export interface SourceTable {
  id: string;
  workspace_id: string;
  name: string;
  kind: string;
  settings: ColumnType<unknown, string, string>;
  credentials_encrypted: Nullable<string>;
  audience: Generated<string[]>;
  include: Generated<string[]>;
  exclude: Generated<string[]>;
  max_items: number;
  schedule_minutes: Nullable<number>;
  next_run_at: Nullable<Date>;
  paused_at: Nullable<Date>;
  created_at: Date;
  updated_at: Date;
  lastmod_distrusted_at: Nullable<Date>;
  lastmod_sample: Nullable<string>;
  held_run: Nullable<number>;
  held_at: Nullable<Date>;
  hold_told_at: Nullable<Date>;
  hold_mail_faults: Generated<number>;
  rules_version: Generated<number>;
  cut_version: Nullable<string>;
  hook_secret_encrypted: Nullable<string>;
  hook_since: Nullable<Date>;
  hook_awaits_until: Nullable<Date>;
  hook_called_at: Nullable<Date>;
  feed: Json;
}

export interface SourceRunTable {
  id: string;
  source_id: string;
  workspace_id: string;
  number: number;
  started_by: string;
  state: string;
  list_cursor: Json;
  listed_at: Nullable<Date>;
  settled_at: Nullable<Date>;
  is_whole: Generated<boolean>;
  listed: Generated<number>;
  added: Generated<number>;
  changed: Generated<number>;
  unchanged: Generated<number>;
  gone: Generated<number>;
  removed: Generated<number>;
  skipped: Generated<number>;
  failed: Generated<number>;
  code: Nullable<string>;
  reason: Nullable<string>;
  slice: Generated<number>;
  wake_at: Date;
  holder: Nullable<string>;
  reserved_until: Nullable<Date>;
  created_at: Date;
  started_at: Nullable<Date>;
  finished_at: Nullable<Date>;
  is_full: Generated<boolean>;
  has_list: Generated<boolean>;
  verdict: Nullable<string>;
  hold: Json;
  hold_outcome: Nullable<string>;
  is_cut: Generated<boolean>;
  is_partial: Generated<boolean>;
  effect: Json;
  feed: Json;
  lists_changes: Generated<boolean>;
  unlisted: Generated<number>;
}

export interface SourceItemTable {
  source_id: string;
  key: string;
  workspace_id: string;
  url: Nullable<string>;
  title: Nullable<string>;
  version: Nullable<string>;
  listed_version: Nullable<string>;
  depth: Generated<number>;
  validators: Json;
  document_id: Nullable<string>;
  state: string;
  code: Nullable<string>;
  reason: Nullable<string>;
  listed_run: Nullable<number>;
  read_run: Nullable<number>;
  missing_runs: Generated<number>;
  read_at: Nullable<Date>;
  named_run: Nullable<number>;
  moved_to: Nullable<string>;
  size: Nullable<number>;
  fingerprint: Nullable<string>;
  part_of: Nullable<string>;
  origin: Nullable<string>;
  retried_run: Nullable<number>;
}

export interface SourceChangeTable {
  source_id: string;
  key: string;
  workspace_id: string;
  run: number;
  title: Nullable<string>;
  url: Nullable<string>;
  content_type: string;
  file_name: Nullable<string>;
  audience: string[];
  version: Nullable<string>;
  validators: Json;
  size_before: Nullable<number>;
  size: number;
  fingerprint: string;
  takes_from: Nullable<string>;
}

export interface SourceChangePartTable {
  source_id: string;
  key: string;
  part: number;
  data: string;
}

export interface SourcePageTable {
  source_id: string;
  key: string;
  workspace_id: string;
  text_hash: string;
  blocks: Nullable<string[]>;
  copy_of: Nullable<string>;
  tree_hash: Nullable<string>;
  fetched_at: Nullable<Date>;
  cut_version: Nullable<string>;
  cut_at: Nullable<Date>;
}

export interface PageTreeTable {
  workspace_id: string;
  hash: string;
  bytes: Uint8Array;
}

export interface SourceRuleTable {
  id: string;
  source_id: string;
  workspace_id: string;
  key: Nullable<string>;
  block: string;
  action: string;
  sample: string;
  created_by: string;
  created_at: Date;
}

export interface SourceNoticeTable {
  source_id: string;
  key: string;
  workspace_id: string;
  is_deletion: boolean;
  noticed_at: Date;
  run: Nullable<number>;
  read_at: Nullable<Date>;
}

export interface SourceHookCallTable {
  source_id: string;
  signature: string;
  received_at: Date;
}
