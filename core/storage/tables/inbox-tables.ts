import type { ColumnType, Generated } from 'kysely';

/** Optional on insert. */
type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;

/** Written as text, read as a value. */
type Json = ColumnType<unknown, string | null | undefined, string | null>;

export interface CustomerSearchTable {
  conversation_id: string;
  parts: number[];
}

export interface SearchWordTable {
  workspace_id: string;
  folded: string;
  word: string;
  conversation_id: string;
  seen_on: Date;
  term: number;
  letters: number;
}

/** Conversations of the workspace that changed later are not read for their words yet. */
export interface SearchProgressTable {
  workspace_id: string;
  updated_until: Date;
  conversation_id: string;
}

export interface ConversationSeenTable {
  person_id: string;
  conversation_id: string;
  position: number;
  seen_at: Date;
}

export interface ConversationDraftTable {
  person_id: string;
  conversation_id: string;
  kind: string;
  content: string;
  updated_at: Date;
  actions: Json;
  other: Json;
}

export interface MentionTable {
  note_id: string;
  person_id: string;
  workspace_id: string;
  created_at: Date;
  read_at: Nullable<Date>;
}

export interface MailDigestTable {
  person_id: string;
  workspace_id: string;
  told_until: Date;
  next_at: Date;
  faults: Generated<number>;
}

export interface AgentFileTable {
  id: string;
  workspace_id: string;
  conversation_id: string;
  /** Null until it is sent. */
  message_id: Nullable<string>;
  person_id: Nullable<string>;
  name: string;
  content_type: string;
  size: number;
  token: string;
  created_at: Date;
}

export interface AgentFilePartTable {
  file_id: string;
  part: number;
  bytes: Uint8Array;
}

export interface ConversationRatingTable {
  conversation_id: string;
  workspace_id: string;
  person_id: Nullable<string>;
  asked_at: Date;
  score: Nullable<number>;
  comment: Nullable<string>;
  rated_at: Nullable<Date>;
  question_id: Nullable<string>;
  number: Generated<number>;
}

export interface SavedViewTable {
  id: string;
  workspace_id: string;
  /** Null: shared with everybody in the workspace. */
  person_id: Nullable<string>;
  name: string;
  filters: ColumnType<unknown, string, string>;
  sort: string;
  place: number;
  created_by: string;
  created_at: Date;
}

export interface InboxAgentTable {
  workspace_id: string;
  person_id: string;
  available: boolean;
  changed_at: Date;
  last_assigned_at: Nullable<Date>;
  seen_at: Nullable<Date>;
}

export interface ConversationActionTable {
  id: string;
  workspace_id: string;
  person_id: Nullable<string>;
  actor: string;
  change: ColumnType<unknown, string, never>;
  status: string;
  total: number;
  done: Generated<number>;
  changed: Generated<number>;
  undone: Generated<number>;
  created_at: Date;
  starts_at: Date;
  finished_at: Nullable<Date>;
}

export interface ConversationActionItemTable {
  action_id: string;
  number: number;
  conversation_id: string;
  before: ColumnType<unknown, string | null | undefined, string | null>;
  after: ColumnType<unknown, string | null | undefined, string | null>;
}
