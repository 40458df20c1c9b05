import type { Kysely } from 'kysely';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Companion, CompanionKind } from '../../storage/companion.ts';
import { batchParameters, batchRows, prepareStatement } from '../../storage/prepared-statements.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type MemorySpan, parseMemorySpan } from '../summary-schedule.ts';
import { toStoredDecision } from './decisions.ts';
import { extractSearchTerms } from './messages.ts';
import type { StoredTurn, Turn } from './turn.ts';

/** The parameters of the SQL function `store_turn` in order, with their types. */
const turnColumns = {
  asked_workspace: 'text',
  asked_conversation: 'text',
  new_conversation: 'text',
  audit_id: 'text',
  asked_channel: 'text',
  asked_session: 'text',
  asked_at: 'timestamptz',
  email: 'text',
  email_verified: 'boolean',
  name: 'text',
  phone: 'text',
  user_id: 'text',
  question_id: 'text',
  question: 'text',
  question_metadata: 'jsonb',
  question_terms: 'integer[]',
  answer_id: 'text',
  answer: 'text',
  answer_terms: 'integer[]',
  answer_sources: 'jsonb',
  answer_tokens: 'integer',
  answer_confidence: 'text',
  answer_score: 'real',
  answer_skills: 'text[]',
  answer_latency: 'integer',
  answer_ended: 'text',
  answer_decision: 'jsonb',
  answer_citations: 'jsonb',
  answer_tier: 'text',
  answer_probability: 'real',
  answer_generated: 'boolean',
  answer_quoted: 'boolean',
  answer_lead: 'text',
  answer_trace: 'jsonb',
  stated_user: 'text',
} as const;

/** The owner and month whose message count the turn increases; null if it was counted earlier. */
const countedColumns = { counted_owner: 'text', counted_month: 'date' } as const;

type Columns = keyof typeof turnColumns | keyof typeof countedColumns;

interface TurnRow extends Readonly<Record<Columns, unknown>> {
  /** Null if the turn starts a conversation. */
  readonly asked_conversation: string | null;
  readonly asked_session: string | null;
  readonly answer_id: string;
}

export function toTurnRow(turn: Turn, stored: StoredTurn, now: Date): TurnRow {
  const { answer, customer, workspaceId } = turn;
  return {
    asked_workspace: workspaceId,
    asked_conversation: turn.conversationId,
    new_conversation: stored.conversationId,
    audit_id: newId('evt'),
    asked_channel: turn.channel,
    asked_session: turn.sessionId,
    asked_at: now.toISOString(),
    email: customer?.email,
    email_verified: customer?.emailVerified,
    name: customer?.name,
    phone: customer?.phone,
    user_id: turn.userId,
    question_id: newId('msg'),
    question: turn.question,
    question_metadata: turn.metadata,
    question_terms: extractSearchTerms(workspaceId, turn.question),
    answer_id: stored.messageId,
    answer: answer.text,
    answer_terms: extractSearchTerms(workspaceId, answer.text),
    answer_sources: answer.sources,
    answer_tokens: answer.tokensUsed,
    answer_confidence: answer.confidence,
    answer_score: answer.score,
    answer_skills: answer.skillsFired,
    answer_latency: turn.latencyMs,
    answer_ended: turn.ended,
    answer_decision: toStoredDecision(turn),
    answer_citations: answer.citations,
    answer_tier: answer.tier,
    answer_probability: answer.probability,
    answer_generated: answer.isGenerated,
    answer_quoted: answer.isQuoted,
    answer_lead: answer.lead,
    answer_trace: turn.trace,
    stated_user: turn.statedUserId,
    counted_owner: turn.countedFor?.owner,
    counted_month: turn.countedFor?.month,
  };
}

/** A turn as a row, with its companion. */
export interface PendingTurn {
  readonly row: TurnRow;
  readonly companion: Companion | undefined;
}

export interface StoredTurnRow {
  /** The id of the answer. */
  readonly message_id: string;
  /** The id of the conversation; null if the caller may not access it. */
  readonly id: string | null;
  /** The ids of the webhook deliveries queued by the transaction so far. */
  readonly told: readonly string[];
  readonly span: readonly number[];
  /** The value of the companion's expression; null without a companion. */
  readonly beside: unknown;
}

interface TurnBatch {
  /** The kind shared by all turns. */
  readonly kind: CompanionKind | undefined;
  readonly turns: readonly PendingTurn[];
}

const parameterNames = Object.keys(turnColumns).map((name) => `asked.${name}`);
const statements = new Map<string, ReturnType<typeof prepareStatement<StoredTurnRow>>>();

/**
 * Stores turns in one round trip and, outside a transaction, one commit. If a companion's expression raises an error, none
 * of them is stored.
 */
export async function storeTurns(
  database: Kysely<Tables>,
  { kind, turns }: TurnBatch,
): Promise<readonly StoredTurnRow[]> {
  const counts = turns.some(({ row }) => row.counted_owner != null);
  const name = `${kind?.name} ${counts}`;
  const store =
    statements.get(name) ??
    prepareStatement<StoredTurnRow>(counts ? countStatement(kind) : storeStatement(kind));
  statements.set(name, store);
  return store(database, batchParameters(lockOrderedRows(turns)));
}

/**
 * Sorts the rows by session, which is the lane in a channel. Processes that lock several lanes then take the locks in the
 * same order and cannot deadlock.
 */
function lockOrderedRows(turns: readonly PendingTurn[]): object[] {
  const placed = turns.map(({ row, companion }) => ({
    place: `${row.asked_session ?? ''} ${row.asked_conversation ?? ''}`,
    row: { ...row, ...companion?.values },
  }));
  return placed.sort((one, other) => (one.place < other.place ? -1 : 1)).map(({ row }) => row);
}

function storeStatement(kind: CompanionKind | undefined, more = ''): string {
  const columns = { ...turnColumns, ...countedColumns, ...kind?.columns };
  return `
    select asked.answer_id as message_id, kept as id, told_deliveries() as told,
           memory_span(kept) as span, ${companionStatement(kind)} as beside ${more}
    from ${batchRows(columns)}
    cross join lateral (select store_turn(${parameterNames.join(', ')}) as kept) as stored
  `;
}

function companionStatement(kind: CompanionKind | undefined): string {
  return kind === undefined ? 'null' : `case when kept is not null then ${kind.expression} end`;
}

/**
 * Counts after all turns are stored, to hold the lock on the owner's count, which other turns of the owner need, as
 * briefly as possible.
 */
function countStatement(kind: CompanionKind | undefined): string {
  return `
    with kept_turn as materialized (${storeStatement(kind, ', counted_owner, counted_month')}),
    counted as (
      insert into owner_usage as usage (owner_id, month, messages)
      select counted_owner, counted_month, count(*) from kept_turn
      where counted_owner is not null and id is not null
      group by counted_owner, counted_month order by counted_owner, counted_month
      on conflict (owner_id, month) do update set messages = usage.messages + excluded.messages
    )
    select message_id, id, told, span, beside from kept_turn
  `;
}

export interface StoreTurnResult {
  readonly stored: StoredTurn;
  /** The ids of the webhook deliveries that were queued with the turn. */
  readonly queuedDeliveries: readonly string[];
  readonly span: MemorySpan;
}

interface StoreOptions {
  readonly now: Date;
  readonly beside: ((stored: StoredTurn) => Companion) | undefined;
  /** Resolves with undefined if the conversation does not exist. */
  readonly store: (turn: PendingTurn) => Promise<StoredTurnRow | undefined>;
}

/** Stores a turn under new ids. Throws `conversation_not_found`, and the errors that the companion maps. */
export async function storeTurn(turn: Turn, { now, beside, store }: StoreOptions): Promise<StoreTurnResult> {
  const stored = { conversationId: turn.conversationId ?? newId('conv'), messageId: newId('msg') };
  const companion = beside?.(stored);
  const row = await store({ row: toTurnRow(turn, stored, now), companion }).catch((error: unknown) => {
    throw companion?.errorOf(error) ?? error;
  });
  if (row?.id == null) throw new AppError('conversation_not_found');
  companion?.stored?.(row.beside);
  return { stored, queuedDeliveries: row.told, span: parseMemorySpan(row.span) };
}
