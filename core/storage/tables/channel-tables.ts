import type { ColumnType, Generated } from 'kysely';

/** Written as JSON text, read as a parsed value. */
type Json = ColumnType<unknown, string | null, string | null>;

/** Optional on insert. */
type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;

export interface ChannelTable {
  id: string;
  workspace_id: string;
  channel: string;
  name: string;
  credentials_encrypted: string;
  secret_encrypted: string;
  /** Number of changes of credentials and settings. */
  revision: Generated<number>;
  settings: ColumnType<unknown, string, string>;
  profile: ColumnType<unknown, string | undefined, string>;
  enabled: Generated<boolean>;
  status: Generated<string>;
  last_error: string | null;
  heard_at: Date | null;
  cursor: Json;
  listening: string | null;
  listening_until: Date | null;
  parent_id: string | null;
  tenant: string | null;
  /** The token of a widget; null for other kinds. */
  public_token: Nullable<string>;
  previous_public_token: Nullable<string>;
  previous_public_token_until: Nullable<Date>;
  verified_at: Nullable<Date>;
  refused_at: Nullable<Date>;
  first_message_at: Nullable<Date>;
  first_answer_at: Nullable<Date>;
  /** Ids of owners, or `*`. */
  shareable_with: Generated<string[]>;
  created_at: Date;
}

export interface InstallLinkTable {
  token_hash: string;
  channel_id: string;
  workspace_id: string;
  expires_at: Date;
  used_at: Date | null;
}

export interface LaneTable {
  channel_id: string;
  lane: string;
  workspace_id: string;
  address: Json;
  conversation_id: string | null;
  reachable: Generated<boolean>;
  heard_at: Date | null;
  draft: Json;
  opted_out: Generated<boolean>;
  sender: string | null;
  continues: Generated<boolean>;
  holder: string | null;
  held_until: Date | null;
}

export interface ChannelMemoryTable {
  channel_id: string;
  key: string;
  value: ColumnType<unknown, string, string>;
  at: Date;
}

export interface InboundEventTable {
  number: ColumnType<string, never, never>;
  channel_id: string;
  workspace_id: string;
  event_id: string;
  lane: string;
  native: ColumnType<unknown, string, string>;
  received_at: Date;
  settled_at: Date;
  handled_at: Date | null;
  attempts: Generated<number>;
  failure: string | null;
  answer_id: string | null;
  media_readings: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface OutboundPartTable {
  number: ColumnType<string, never, never>;
  channel_id: string;
  workspace_id: string;
  lane: string;
  conversation_id: string;
  message_id: string;
  part: number;
  author: string;
  content: ColumnType<unknown, string, string>;
  status: Generated<string>;
  attempts: Generated<number>;
  created_at: Date;
  next_attempt_at: Date;
  sent_at: Date | null;
  platform_message_id: string | null;
  failure: string | null;
  draft: Json;
  collect_key: string | null;
  ask_at: Date | null;
  in_doubt: Generated<boolean>;
  status_at: ColumnType<Date | null, never, never>;
  event_id: string | null;
}

export interface SendBudgetTable {
  channel_id: string;
  key: string;
  spoken_until: Date;
  held_until: Date | null;
  of_app: boolean;
}

export interface FailureActionTable {
  id: string;
  kind: string;
  queue: string;
  filter: ColumnType<unknown, string, string>;
  last_number: ColumnType<string, string, never>;
  position: ColumnType<string, string | undefined, string>;
  total: number;
  done: Generated<number>;
  state: Generated<string>;
  started_by: string;
  created_at: Date;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}
