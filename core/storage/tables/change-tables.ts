import type { ColumnType, Generated } from 'kysely';

/** Optional on insert. */
type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;

export interface ChangeSetTable {
  id: string;
  workspace_id: string;
  name: string;
  state: string;
  revision: Generated<number>;
  staging_id: Nullable<string>;
  created_by: string;
  created_at: Date;
  published_by: Nullable<string>;
  published_at: Nullable<Date>;
  undone_by: Nullable<string>;
  undone_at: Nullable<Date>;
}

export interface ChangeItemTable {
  id: string;
  change_set_id: string;
  workspace_id: string;
  kind: string;
  change: ColumnType<unknown, string, string>;
  base: ColumnType<unknown, string, string>;
  document_id: Nullable<string>;
  staged_document_id: Nullable<string>;
  kept: ColumnType<unknown, string | null | undefined, string | null>;
  created_at: Date;
}
