import type { ColumnType, Generated } from 'kysely';

/** Optional on insert. */
type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;

export interface TestQuestionTable {
  id: string;
  workspace_id: string;
  question: string;
  fingerprint: string;
  audience: string[];
  language: Nullable<string>;
  expects: string;
  accepted: string[];
  said: Nullable<string>;
  document_id: Nullable<string>;
  section: Nullable<string>;
  origin: string;
  last_outcome: Nullable<string>;
  last_because: Nullable<string>;
  last_answer: Nullable<string>;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  turns: ColumnType<unknown, string | null | undefined, string | null>;
  channel: Nullable<string>;
  last_turns: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface TestRunTable {
  id: string;
  workspace_id: string;
  state: string;
  reason: string;
  started_by: string;
  created_at: Date;
  finished_at: Nullable<Date>;
  questions: number;
  right_count: Generated<number>;
  unsure_count: Generated<number>;
  wrong_count: Generated<number>;
  refused_count: Generated<number>;
  slice: Generated<number>;
  held_until: Generated<Date>;
  change_set_id: Nullable<string>;
  change_set_revision: Nullable<number>;
}

export interface TestResultTable {
  run_id: string;
  question_id: string;
  outcome: string;
  tier: Nullable<string>;
  probability: Nullable<number>;
  answer: string;
  source_id: Nullable<string>;
  source_title: Nullable<string>;
  because: string;
  live: ColumnType<unknown, string | null | undefined, string | null>;
  verdict: Nullable<string>;
  turns: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface GapTable {
  id: string;
  workspace_id: string;
  kind: string;
  language: string;
  state: string;
  representative_id: Nullable<string>;
  closed_at: Nullable<Date>;
  changed_by: Nullable<string>;
  answer_id: Nullable<string>;
  check_from: Nullable<Date>;
  check_slice: Generated<number>;
  held_until: Generated<Date>;
  created_at: Date;
}

export interface GapQuestionTable {
  message_id: string;
  workspace_id: string;
  gap_id: Nullable<string>;
  question_id: Nullable<string>;
  conversation_id: string;
  asked_at: Date;
  model_id: Nullable<number>;
  /** As pgvector writes it: `[0.1,…]`. */
  embedding: Nullable<string>;
  checked_at: Nullable<Date>;
  tier: Nullable<string>;
}

export interface GapRoundTable {
  workspace_id: string;
  at: Date;
}

export interface SampledAnswerTable {
  message_id: string;
  workspace_id: string;
  decision: string;
  decided_by: string;
  at: Date;
}
