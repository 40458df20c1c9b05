import type { ColumnType, Generated } from 'kysely';

/** int8, a decimal string with both engines. */
type BigInteger = ColumnType<string, number, number>;

export interface ScopeTable {
  id: Generated<number>;
  workspace_id: string;
  audience: string[];
  chunk_count: Generated<number>;
  term_count: BigInteger;
  graph: Generated<string>;
  analyser: Generated<number>;
  words_side: Generated<number>;
  rebuild: string | null;
  rebuild_analyser: number | null;
  rebuild_position: Generated<number>;
  rebuild_chunks: Generated<number>;
  rebuild_terms: ColumnType<string, number | undefined, number>;
}

export interface DocumentTable {
  id: string;
  number: Generated<number>;
  workspace_id: string;
  scope_id: number | null;
  source_key: string;
  title: string;
  title_given: boolean;
  url: string | null;
  content_type: string | null;
  file_name: string | null;
  audience: Generated<string[]>;
  status: string;
  progress: Generated<number>;
  failure_code: string | null;
  failure_reason: string | null;
  revision: Generated<number>;
  wanted_revision: Generated<number>;
  content_hash: string | null;
  byte_count: Generated<number>;
  chunk_count: Generated<number>;
  created_at: Date;
  updated_at: Date;
  indexed_at: Date | null;
  origin: string | null;
  undo: ColumnType<unknown, string | null | undefined, string | null>;
  restorable_until: Date | null;
  source_id: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface CuratedAnswerTable {
  id: string;
  workspace_id: string;
  question: string;
  phrasings: string[];
  keys: string[];
  action: string;
  answer: string | null;
  valid_until: Date | null;
  changed_by: string;
  created_at: Date;
  updated_at: Date;
}

export interface IndexingLeaseTable {
  document_number: number;
  workspace_id: string;
  revision: number;
  holder: string | null;
  process_id: string | null;
  held_until: Date;
  attempts: number;
  passages: number | null;
  title: string | null;
  url: string | null;
}

export interface IndexingPassageTable {
  document_number: number;
  ordinal: number;
  headings: string[];
  body: string;
  place: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface IndexingTurnTable {
  workspace_id: string;
  at: Date;
}

export interface DocumentUploadTable {
  document_number: number;
  revision: number;
  part: number;
  data: string;
}

export interface ChunkTable {
  id: Generated<number>;
  document_number: number;
  scope_id: number;
  revision: number;
  title: string;
  ordinal: number;
  headings: string[];
  body: string;
  text_hash: string;
  place: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface ChunkVectorTable {
  chunk_id: number;
  scope_id: number;
  in_graph: boolean;
  embedding: string;
}

export interface SentenceVectorTable {
  chunk_id: number;
  scope_id: number;
  vectors: Uint8Array;
}

export interface EmbeddingModelTable {
  id: Generated<number>;
  name: string;
  dimensions: number;
  unrelated_cosine: number | null;
  related_cosine: number | null;
}

export interface ModelVectorTable {
  chunk_id: number;
  model_id: number;
  scope_id: number;
  in_graph: boolean;
  embedding: string;
}

export interface CorpusTable {
  workspace_id: string;
  version: string;
  model_id: Generated<number>;
  next_model_id: number | null;
  reserved_until: Date | null;
}

/** Answers that rest on a document, by day (UTC). */
export interface DocumentDayTable {
  document_id: string;
  day: Date;
  answers: number;
  rated: number;
  disliked: number;
}

/** Documents whose facts are to be compared. */
export interface FactCheckTable {
  document_number: number;
  revision: number;
  held_until: ColumnType<Date, Date | undefined, Date>;
  attempts: Generated<number>;
}

export interface FactConflictTable {
  id: string;
  workspace_id: string;
  kind: string;
  status: string;
  found_at: Date;
  resolved_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  fingerprint: string;
  document_number: number;
  chunk_id: number;
  sentence: string;
  value: string;
  mark: string;
  other_document_number: number | null;
  other_chunk_id: number | null;
  other_sentence: string | null;
  other_value: string | null;
  other_mark: string | null;
  last_day: number | null;
}
