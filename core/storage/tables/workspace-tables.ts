import type { ColumnType, Generated } from 'kysely';

/** Optional on insert. */
type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;

export interface ApiKeyTable {
  id: string;
  workspace_id: string;
  name: string;
  key_hash: string;
  key_ending: string;
  previous_key_hash: Nullable<string>;
  previous_key_until: Nullable<Date>;
  rate_limit_minute: number;
  rate_limit_day: number;
  expires_at: Date | null;
  revoked_at: Date | null;
  created_at: Date;
  last_used_at: Nullable<Date>;
  created_by: Generated<string>;
  scopes: Generated<string[]>;
  workspaces: Generated<string>;
  allowed_networks: Generated<string[]>;
  mode: Generated<string>;
  scopes_used: Generated<unknown>;
}

/** Outcomes of a key's requests on a day (UTC). */
export interface KeyDayTable {
  key_id: string;
  day: Date;
  answered: number;
  low: number;
  errors: number;
  limited: number;
}

export interface SnippetTable {
  id: string;
  workspace_id: string;
  name: string;
  text: string;
  tags: Generated<string[]>;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  actions: ColumnType<unknown, string | undefined, string>;
  undo: ColumnType<unknown, string | null | undefined, string | null>;
  restorable_until: Nullable<Date>;
}

/** The weekly fit of a correction of probabilities. */
export interface CorrectionOfferTable {
  workspace_id: string;
  due_at: Date;
  refit: ColumnType<unknown, string | null, string | null>;
  offered_at: Nullable<Date>;
  was_used: Generated<boolean>;
}

/** Where a tag was that was removed from all conversations and snippets. */
export interface RemovedTagTable {
  workspace_id: string;
  tag: string;
  conversation_id: string | null;
  snippet_id: string | null;
  position: number;
  restorable_until: Date;
}
