import { type Kysely, sql } from 'kysely';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { prepared, runPrepared } from '../storage/prepared.ts';
import type { Tables } from '../storage/tables.ts';
import { messageTerms } from './message-terms.ts';
import { type MemorySpan, memorySpanOf } from './summaries/memory-span.ts';
import type { Companion, StoredTurn, Turn } from './turn.ts';

export interface TurnInStore {
  readonly stored: StoredTurn;
  /** The deliveries to webhooks that were kept with it. */
  readonly told: readonly string[];
  readonly span: MemorySpan;
}

interface Storing {
  readonly now: Date;
  readonly beside: ((stored: StoredTurn) => Companion) | undefined;
}

/**
 * One round trip and, outside a transaction, one commit, with what is stored beside it. Throws `conversation_not_found`,
 * and what the companion's errors mean.
 */
export async function storeTurn(
  database: Kysely<Tables>,
  turn: Turn,
  { now, beside }: Storing,
): Promise<TurnInStore> {
  const stored = { conversationId: turn.conversationId ?? newId('conv'), messageId: newId('msg') };
  const companion = beside?.(stored);
  const values = valuesOf(turn, stored, now);
  const [row] =
    companion === undefined
      ? await storing(database, values)
      : await storingWith(companion, database, values);
  if (row?.id == null) throw new AppError('conversation_not_found');
  companion?.stored?.(row.beside);
  return { stored, told: row.told, span: memorySpanOf(row.span) };
}

interface Row {
  readonly id: string | null;
  readonly told: string[];
  readonly span: number[];
  /** Absent where nothing is stored beside the turn. */
  readonly beside?: unknown;
}

const storing = prepared<Row>(`
  select id, told_deliveries() as told, memory_span(id) as span from store_turn(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25
  ) as id
`);

async function storingWith(
  { expression, errorOf }: Companion,
  database: Kysely<Tables>,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const statement = sql<Row>`
    select id, told_deliveries() as told, memory_span(id) as span, case when id is not null then ${expression} end as beside
    from store_turn(${sql.join(values)}) as id
  `;
  return runPrepared(statement, database).catch((error: unknown) => {
    throw errorOf(error);
  });
}

/** In the order of the parameters of `store_turn`. */
function valuesOf(turn: Turn, stored: StoredTurn, now: Date): readonly unknown[] {
  const { answer, customer, workspaceId } = turn;
  return [
    ...[
      workspaceId,
      turn.conversationId,
      stored.conversationId,
      newId('evt'),
      turn.channel,
      turn.sessionId,
      now,
    ],
    ...[customer?.email ?? null, customer?.name ?? null, customer?.phone ?? null, turn.userId],
    ...[newId('msg'), turn.question, turn.metadata === null ? null : JSON.stringify(turn.metadata)],
    ...[messageTerms(workspaceId, turn.question), stored.messageId, answer.text],
    ...[messageTerms(workspaceId, answer.text), JSON.stringify(answer.sources), answer.tokensUsed],
    ...[answer.confidence, answer.score, answer.skillsFired, turn.latencyMs, turn.ended],
  ];
}
