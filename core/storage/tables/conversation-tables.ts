import type { ColumnType, Generated } from 'kysely';

/** Written as JSON text, read as a parsed value. */
type Json = ColumnType<unknown, string | null, string | null>;

/** Optional on insert. */
type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;

export interface ConversationTable {
  id: string;
  workspace_id: string;
  channel: string;
  status: Generated<string>;
  session_id: string | null;
  started_at: Date;
  last_message_at: Date;
  /** The time of the last message, change or rating; a trigger maintains it. */
  updated_at: Generated<Date>;
  resolved_at: Date | null;
  message_count: Generated<number>;
  customer_email: string | null;
  customer_email_verified: Generated<boolean>;
  customer_name: string | null;
  customer_phone: string | null;
  customer_user_id: string | null;
  tags: Generated<string[]>;
  priority: Generated<string>;
  snooze_until: Date | null;
  unanswered_since: Date | null;
  handover_since: Date | null;
  sla_told: string | null;
  awaited: Json;
  memory_from: Generated<number>;
  summary: string | null;
  summary_until: Generated<number>;
  /** The channel of conversations of a widget or hosted page; a trigger sets it. */
  channel_id: Nullable<string>;
  assignee_id: Nullable<string>;
  assigned_at: Nullable<Date>;
  visitor_position: Generated<number>;
  assigned_by: Nullable<string>;
  disclosed_at: Nullable<Date>;
  stated_user_id: Nullable<string>;
  metadata: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface MessageTable {
  id: string;
  conversation_id: string;
  workspace_id: string;
  position: number;
  role: string;
  content: string;
  created_at: Date;
  sources: Json;
  tokens_used: number | null;
  confidence: string | null;
  score: number | null;
  skills_fired: string[] | null;
  latency_ms: number | null;
  metadata: Json;
  terms: number[] | null;
  ended: string | null;
  author: string | null;
  edited_at: Date | null;
  deleted_at: Date | null;
  feedback: string | null;
  feedback_comment: string | null;
  feedback_at: Date | null;
  stored_in: ColumnType<string, never, never>;
  failure_told_at: ColumnType<Date | null, never, never>;
  request_key: Nullable<string>;
  purpose: Nullable<string>;
  person_id: Nullable<string>;
  decision: Json;
  citations: Json;
  tier: Nullable<string>;
  probability: Nullable<number>;
  ai_generated: Nullable<boolean>;
  quoted: Nullable<boolean>;
  lead: Nullable<string>;
  trace: Json;
}

export interface AnswerReviewTable {
  message_id: string;
  workspace_id: string;
  verdict: string;
  reviewer: string;
  person_id: Nullable<string>;
  at: Date;
}

export interface NoteTable {
  id: string;
  conversation_id: string;
  workspace_id: string;
  content: string;
  author: string;
  created_at: Date;
  person_id: Nullable<string>;
  mentions: Generated<string[]>;
  edited_at: Nullable<Date>;
}

export interface AuditEntryTable {
  id: string;
  /** Null for entries about an owner and all their workspaces. */
  workspace_id: Nullable<string>;
  /** Null for entries about the whole workspace. */
  conversation_id: string | null;
  action: string;
  actor: string;
  at: Date;
  details: ColumnType<unknown, string, never>;
  owner_id: Nullable<string>;
  /** Null for API keys, processes and the operator's token. */
  actor_id: Nullable<string>;
}
