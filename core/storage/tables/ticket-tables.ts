import type { ColumnType, Generated } from 'kysely';

/** Optional on insert. */
type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;

export interface TicketImportTable {
  id: string;
  workspace_id: string;
  file_name: string;
  /** The driver returns large numbers as text. */
  bytes: ColumnType<string | number, number, number>;
  format: Nullable<string>;
  state: string;
  failure: Nullable<string>;
  audience: string[];
  model: Nullable<string>;
  started_by: string;
  created_at: Date;
  finished_at: Nullable<Date>;
  bytes_read: ColumnType<string | number, number | undefined, number>;
  omitted: ColumnType<unknown, string | undefined, string>;
  omitted_examples: ColumnType<unknown, string | undefined, string>;
  tickets: Generated<number>;
  agrees_count: Generated<number>;
  differs_count: Generated<number>;
  maybe_count: Generated<number>;
  none_count: Generated<number>;
  no_question_count: Generated<number>;
  error_count: Generated<number>;
  slice: Generated<number>;
  held_until: Generated<Date>;
}

export interface TicketImportPartTable {
  import_id: string;
  part: number;
  data: string;
}

export interface ImportedTicketTable {
  id: string;
  import_id: string;
  external_id: string;
  at: Date;
  language: Nullable<string>;
  question: string;
  reply: string;
  tags: string[];
  rating: Nullable<number>;
  verdict: Nullable<string>;
  because: Nullable<string>;
  likeness: Nullable<number>;
  answer: Nullable<string>;
  probability: Nullable<number>;
  source_id: Nullable<string>;
  source_title: Nullable<string>;
  is_sampled: Generated<boolean>;
  judgement: Nullable<string>;
  judged_by: Nullable<string>;
  judged_at: Nullable<Date>;
}
