import type { ColumnType, Generated } from 'kysely';
import type { ChangeItemTable, ChangeSetTable } from './change-tables.ts';
import type {
  ChannelMemoryTable,
  ChannelTable,
  FailureActionTable,
  InboundEventTable,
  InstallLinkTable,
  LaneTable,
  OutboundPartTable,
  SendBudgetTable,
} from './channel-tables.ts';
import type {
  AnswerReviewTable,
  AuditEntryTable,
  ConversationTable,
  MessageTable,
  NoteTable,
} from './conversation-tables.ts';
import type {
  GapQuestionTable,
  GapRoundTable,
  GapTable,
  SampledAnswerTable,
  TestQuestionTable,
  TestResultTable,
  TestRunTable,
} from './evaluation-tables.ts';
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
  SearchProgressTable,
  SearchWordTable,
} from './inbox-tables.ts';
import type {
  InsightEpisodeTable,
  InsightProgressTable,
  InsightQuestionTable,
  ReportKeyTable,
} from './insight-tables.ts';
import type {
  ChunkTable,
  ChunkVectorTable,
  CorpusTable,
  CuratedAnswerTable,
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
  OwnerModelKeyTable,
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
import type { ImportedTicketTable, TicketImportPartTable, TicketImportTable } from './ticket-tables.ts';
import type { VisitorFileTable, VisitorSessionTable, VisitorTable } from './visitor-tables.ts';
import type {
  ApiKeyTable,
  CorrectionOfferTable,
  KeyDayTable,
  RemovedTagTable,
  SnippetTable,
} from './workspace-tables.ts';

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
  staging_for: Nullable<string>;
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
  facts: ColumnType<unknown, string | undefined, string>;
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
  curated_answer: CuratedAnswerTable;
  test_question: TestQuestionTable;
  test_run: TestRunTable;
  test_result: TestResultTable;
  ticket_import: TicketImportTable;
  ticket_import_part: TicketImportPartTable;
  imported_ticket: ImportedTicketTable;
  insight_episode: InsightEpisodeTable;
  insight_question: InsightQuestionTable;
  insight_progress: InsightProgressTable;
  report_key: ReportKeyTable;
  gap: GapTable;
  gap_question: GapQuestionTable;
  gap_round: GapRoundTable;
  sampled_answer: SampledAnswerTable;
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
  change_set: ChangeSetTable;
  change_item: ChangeItemTable;
  api_key: ApiKeyTable;
  key_day: KeyDayTable;
  correction_offer: CorrectionOfferTable;
  snippet: SnippetTable;
  removed_tag: RemovedTagTable;
  conversation: ConversationTable;
  message: MessageTable;
  answer_review: AnswerReviewTable;
  note: NoteTable;
  audit_entry: AuditEntryTable;
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
  http_skill: HttpSkillTable;
  process: ProcessTable;
  storage_probe: { payload: string };
  failure_action: FailureActionTable;
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
  owner_model_key: OwnerModelKeyTable;
  membership: MembershipTable;
  member_link: MemberLinkTable;
  agent_listener: AgentListenerTable;
  customer_search: CustomerSearchTable;
  search_word: SearchWordTable;
  search_progress: SearchProgressTable;
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
