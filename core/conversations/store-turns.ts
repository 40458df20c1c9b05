import type { Kysely } from 'kysely';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { batchParameters, batchRows, prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { extractSearchTerms } from './messages.ts';
import type { PiggybackItem } from './piggyback-batch.ts';
import { type MemorySpan, parseMemorySpan } from './summary-schedule.ts';
import type { Companion, CompanionKind, StoredTurn, Turn } from './turn.ts';

/** The parameters of `store_turn` in their order, each with its type. */
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
} as const;

/** Whose month a turn counts in; null where it is not counted with it. */
const countedColumns = { counted_owner: 'text', counted_month: 'date' } as const;

type Columns = keyof typeof turnColumns | keyof typeof countedColumns;

interface TurnRow extends Readonly<Record<Columns, unknown>> {
  /** Null where the turn begins one. */
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
    counted_owner: turn.countedFor?.owner,
    counted_month: turn.countedFor?.month,
  };
}

/** A turn as it is stored, with what goes beside it. */
export interface PendingTurn {
  readonly row: TurnRow;
  readonly companion: Companion | undefined;
}

export interface StoredTurnRow {
  /** Of the answer. */
  readonly message_id: string;
  /** Of the conversation; null where that is not open to who asked. */
  readonly id: string | null;
  /** The deliveries to webhooks that were kept in the transaction so far. */
  readonly told: readonly string[];
  readonly span: readonly number[];
  /** What was computed beside the turn; null where nothing is stored there. */
  readonly beside: unknown;
}

interface StoredTurns {
  readonly kept: readonly StoredTurnRow[];
  /** What was computed for each rider. */
  readonly noted: readonly unknown[];
}

interface StoreTurnsStoring {
  /** Of all of them. */
  readonly kind: CompanionKind | undefined;
  readonly turns: readonly PendingTurn[];
  readonly riders?: readonly PiggybackItem[];
}

type Row = (StoredTurnRow & { readonly rider: null }) | { readonly rider: number; readonly beside: unknown };

const names = Object.keys(turnColumns).map((name) => `asked.${name}`);
const statements = new Map<string, ReturnType<typeof prepareStatement<Row>>>();

/**
 * One round trip and, outside a transaction, one commit, however many there are. What computing something beside them
 * raises undoes all of them.
 */
export async function storeTurns(
  database: Kysely<Tables>,
  { kind, turns, riders = [] }: StoreTurnsStoring,
): Promise<StoredTurns> {
  const counts = turns.some(({ row }) => row.counted_owner != null);
  const name = `${kind?.name} ${counts}`;
  const store =
    statements.get(name) ?? prepareStatement<Row>(counts ? countStatement(kind) : storeStatement(kind));
  statements.set(name, store);
  const rows = await store(database, batchParameters(placeholders(turns, riders)));
  const noted: unknown[] = [];
  for (const { rider, beside } of rows) if (rider !== null) noted[rider] = beside;
  return { kept: rows.filter((row) => row.rider === null), noted };
}

/**
 * In a channel a session is a lane: of two processes that lock several, neither waits for the other. In one lane turns come
 * first, as they lock its conversation before it.
 */
function placeholders(turns: readonly PendingTurn[], riders: readonly PiggybackItem[]): object[] {
  const placed = [
    ...turns.map(({ row, companion }) => ({
      place: `${row.asked_session ?? ''} ${row.asked_conversation ?? ''}`,
      row: { ...row, ...companion?.values },
    })),
    ...riders.map(({ session, values }, rider) => ({ place: `${session} ~`, row: { ...values, rider } })),
  ];
  return placed.sort((one, other) => (one.place < other.place ? -1 : 1)).map(({ row }) => row);
}

function storeStatement(kind: CompanionKind | undefined, more = ''): string {
  const columns = { ...turnColumns, ...countedColumns, ...kind?.columns, ...kind?.rides?.columns };
  return `
    select asked.answer_id as message_id, asked.rider, kept as id, told_deliveries() as told,
           memory_span(kept) as span, ${companionStatement(kind)} as beside ${more}
    from ${batchRows({ ...columns, rider: 'integer' })}
    cross join lateral (
      select case when asked.rider is null then store_turn(${names.join(', ')}) end as kept
    ) as stored
  `;
}

function companionStatement(kind: CompanionKind | undefined): string {
  if (kind === undefined) return 'null';
  const ofRider = kind.rides && `when asked.rider is not null then ${kind.rides.expression}`;
  return `case when kept is not null then ${kind.expression} ${ofRider ?? ''} end`;
}

/** Counts behind all of them, so that nobody waits for long for what the owner's other turns count in as well. */
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
    select message_id, rider, id, told, span, beside from kept_turn
  `;
}

export interface StoreTurnResult {
  readonly stored: StoredTurn;
  /** The deliveries to webhooks that were kept with it. */
  readonly told: readonly string[];
  readonly span: MemorySpan;
}

interface StoreTurnStoring {
  readonly now: Date;
  readonly beside: ((stored: StoredTurn) => Companion) | undefined;
  /** Resolves with undefined where its conversation is not there. */
  readonly store: (turn: PendingTurn) => Promise<StoredTurnRow | undefined>;
}

/** Stores a turn under new ids. Throws `conversation_not_found`, and what the companion's errors mean. */
export async function storeTurn(
  turn: Turn,
  { now, beside, store }: StoreTurnStoring,
): Promise<StoreTurnResult> {
  const stored = { conversationId: turn.conversationId ?? newId('conv'), messageId: newId('msg') };
  const companion = beside?.(stored);
  const kept = await store({ row: toTurnRow(turn, stored, now), companion }).catch((error: unknown) => {
    throw companion?.errorOf(error) ?? error;
  });
  if (kept?.id == null) throw new AppError('conversation_not_found');
  companion?.stored?.(kept.beside);
  return { stored, told: kept.told, span: parseMemorySpan(kept.span) };
}
