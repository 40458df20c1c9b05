import type { ColumnType, Generated } from 'kysely';
import type {
  ChannelMemoryTable,
  ChannelTable,
  InboundEventTable,
  InstallLinkTable,
  LaneTable,
  OutboundPartTable,
  SendBudgetTable,
} from './channel-tables.ts';
import type { TestQuestionTable, TestResultTable, TestRunTable } from './evaluation-tables.ts';
import type {
  AgentFilePartTable,
  AgentFileTable,
  ConversationActionItemTable,
  ConversationActionTable,
  ConversationDraftTable,
  ConversationRatingTable,
  ConversationSeenTable,
  CustomerSearchTable,
  InboxAgentTable,
  MailDigestTable,
  MentionTable,
  SavedViewTable,
} from './inbox-tables.ts';
import type {
  ChunkTable,
  ChunkVectorTable,
  CorpusTable,
  DocumentDayTable,
  DocumentTable,
  DocumentUploadTable,
  EmbeddingModelTable,
  FactCheckTable,
  FactConflictTable,
  IndexingLeaseTable,
  IndexingPassageTable,
  IndexingTurnTable,
  ModelVectorTable,
  ScopeTable,
  SentenceVectorTable,
} from './knowledge-tables.ts';
import type {
  AgentListenerTable,
  MemberLinkTable,
  MembershipTable,
  PersonAccountTable,
  PersonPasskeyTable,
  PersonSessionTable,
  PersonTable,
  PersonTwoFactorTable,
  PersonVerificationTable,
  SignInDomainTable,
  SignInFailureTable,
  SignInProviderTable,
} from './member-tables.ts';
import type {
  PageTreeTable,
  SourceChangePartTable,
  SourceChangeTable,
  SourceHookCallTable,
  SourceItemTable,
  SourceNoticeTable,
  SourcePageTable,
  SourceRuleTable,
  SourceRunTable,
  SourceTable,
} from './source-tables.ts';
import type { VisitorFileTable, VisitorSessionTable, VisitorTable } from './visitor-tables.ts';
import type {
  ApiKeyTable,
  CorrectionOfferTable,
  KeyDayTable,
  RemovedTagTable,
  SnippetTable,
} from './workspace-tables.ts';

/** Written as JSON text, read as a parsed value. */
type Json = ColumnType<unknown, string | null, string | null>;

/** Optional on insert. */
type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;

interface WorkspaceTable {
  id: string;
  owner_id: string;
  name: string;
  plan: string;
  settings: ColumnType<unknown, string, string>;
  identity_secret_encrypted: string;
  previous_identity_secret_encrypted: Nullable<string>;
  previous_identity_secret_until: Nullable<Date>;
  public_token: string;
  previous_public_token: Nullable<string>;
  previous_public_token_until: Nullable<Date>;
  created_at: Date;
  deleted_at: Date | null;
  /** True if the workspace has enabled HTTP skills of its own. */
  own_skills: Generated<boolean>;
  correction: ColumnType<unknown, string | null | undefined, string | null>;
}

interface ConversationTable {
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
}

interface MessageTable {
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
}

interface NoteTable {
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

interface AuditEntryTable {
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

export interface WebhookTable {
  id: string;
  workspace_id: string;
  url: string;
  events: string[];
  secret_encrypted: string;
  previous_secret_encrypted: Nullable<string>;
  previous_secret_until: Nullable<Date>;
  created_at: Date;
  disabled_at: Date | null;
  disabled_reason: string | null;
  undo: ColumnType<unknown, string | null | undefined, string | null>;
  restorable_until: Nullable<Date>;
}

/** Rows are inserted by triggers, but for test events. */
export interface WebhookDeliveryTable {
  id: ColumnType<string, string, never>;
  webhook_id: string;
  workspace_id: string;
  conversation_id: Nullable<string>;
  event: string;
  data: ColumnType<unknown, string, never>;
  status: string;
  attempts: number;
  created_at: Date;
  queued_at: Date;
  next_attempt_at: Nullable<Date>;
  last_status: Nullable<number>;
  last_error: Nullable<string>;
  delivered_at: Nullable<Date>;
}

export interface HttpSkillTable {
  id: string;
  workspace_id: string;
  name: string;
  description: string;
  parameters: ColumnType<unknown, string, string>;
  url: string;
  secret_encrypted: string;
  previous_secret_encrypted: Nullable<string>;
  previous_secret_until: Nullable<Date>;
  timeout_ms: number;
  runs_for: string;
  enabled: boolean;
  created_at: Date;
  undo: ColumnType<unknown, string | null | undefined, string | null>;
  restorable_until: Nullable<Date>;
}

interface ProcessTable {
  id: string;
  roles: string[];
  started_at: Date;
  seen_at: Date;
}

interface KeyInFlightTable {
  key_id: string;
  process_id: string;
  requests: number;
  report: number;
  /** Number of admitted requests that have ended, as last reported by the process. */
  ended: Generated<string>;
}

interface OwnerUsageTable {
  owner_id: string;
  month: Date;
  messages: number;
}

interface IdempotentRequestTable {
  key_id: string;
  idempotency_key: string;
  request_hash: string;
  claim: string;
  process_id: string;
  status: number | null;
  body: string | null;
  /** The conversation; a trigger sets it together with the response. */
  conversation_id: ColumnType<string | null, never, never>;
  created_at: Date;
}

/** Every table that is queried with Kysely. */
export interface Tables {
  test_question: TestQuestionTable;
  test_run: TestRunTable;
  test_result: TestResultTable;
  channel: ChannelTable;
  install_link: InstallLinkTable;
  lane: LaneTable;
  channel_memory: ChannelMemoryTable;
  inbound_event: InboundEventTable;
  outbound_part: OutboundPartTable;
  send_budget: SendBudgetTable;
  visitor: VisitorTable;
  visitor_session: VisitorSessionTable;
  visitor_file: VisitorFileTable;
  setting: { name: string; value: string };
  owner: { id: string; created_at: Date };
  workspace: WorkspaceTable;
  api_key: ApiKeyTable;
  key_day: KeyDayTable;
  correction_offer: CorrectionOfferTable;
  snippet: SnippetTable;
  removed_tag: RemovedTagTable;
  conversation: ConversationTable;
  message: MessageTable;
  note: NoteTable;
  audit_entry: AuditEntryTable;
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
  http_skill: HttpSkillTable;
  process: ProcessTable;
  key_in_flight: KeyInFlightTable;
  owner_usage: OwnerUsageTable;
  idempotent_request: IdempotentRequestTable;
  scope: ScopeTable;
  document: DocumentTable;
  document_day: DocumentDayTable;
  fact_check: FactCheckTable;
  fact_conflict: FactConflictTable;
  document_upload: DocumentUploadTable;
  indexing_lease: IndexingLeaseTable;
  indexing_passage: IndexingPassageTable;
  indexing_turn: IndexingTurnTable;
  chunk: ChunkTable;
  chunk_vector: ChunkVectorTable;
  sentence_vector: SentenceVectorTable;
  embedding_model: EmbeddingModelTable;
  model_vector: ModelVectorTable;
  corpus: CorpusTable;
  person: PersonTable;
  person_session: PersonSessionTable;
  person_account: PersonAccountTable;
  person_verification: PersonVerificationTable;
  person_two_factor: PersonTwoFactorTable;
  person_passkey: PersonPasskeyTable;
  sign_in_key: { id: string; secret_encrypted: string };
  sign_in_failure: SignInFailureTable;
  sign_in_provider: SignInProviderTable;
  sign_in_domain: SignInDomainTable;
  membership: MembershipTable;
  member_link: MemberLinkTable;
  agent_listener: AgentListenerTable;
  customer_search: CustomerSearchTable;
  conversation_seen: ConversationSeenTable;
  conversation_draft: ConversationDraftTable;
  agent_file: AgentFileTable;
  agent_file_part: AgentFilePartTable;
  conversation_rating: ConversationRatingTable;
  mention: MentionTable;
  mail_digest: MailDigestTable;
  saved_view: SavedViewTable;
  inbox_agent: InboxAgentTable;
  conversation_action: ConversationActionTable;
  conversation_action_item: ConversationActionItemTable;
  source: SourceTable;
  source_run: SourceRunTable;
  source_item: SourceItemTable;
  source_page: SourcePageTable;
  source_rule: SourceRuleTable;
  page_tree: PageTreeTable;
  source_notice: SourceNoticeTable;
  source_hook_call: SourceHookCallTable;
  source_change: SourceChangeTable;
  source_change_part: SourceChangePartTable;
}
