import { type Kysely, type RawBuilder, sql } from 'kysely';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
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
  const statement = storing(turn, { stored, now, companion });
  const { rows } = await statement.execute(database).catch((error: unknown) => {
    throw companion === undefined ? error : companion.errorOf(error);
  });
  const [row] = rows;
  if (row?.id == null) throw new AppError('conversation_not_found');
  companion?.stored?.(row.beside);
  return { stored, told: row.told, span: memorySpanOf(row.span) };
}

interface Row {
  readonly id: string | null;
  readonly told: string[];
  readonly span: number[];
  readonly beside: unknown;
}

interface Whole extends Omit<Storing, 'beside'> {
  readonly stored: StoredTurn;
  readonly companion: Companion | undefined;
}

function storing(turn: Turn, { stored, now, companion }: Whole): RawBuilder<Row> {
  const { answer, customer, workspaceId } = turn;
  const beside = companion && sql`, case when id is not null then ${companion.expression} end as beside`;
  return sql<Row>`
    select id, told_deliveries() as told, memory_span(id) as span${beside ?? sql``} from store_turn(
      ${workspaceId}, ${turn.conversationId}, ${stored.conversationId}, ${newId('evt')}, ${turn.channel}, ${turn.sessionId},
      ${now}, ${customer?.email ?? null}, ${customer?.name ?? null}, ${customer?.phone ?? null},
      ${turn.userId}, ${newId('msg')}, ${turn.question}, ${turn.metadata === null ? null : JSON.stringify(turn.metadata)},
      ${[...messageTerms(workspaceId, turn.question)]}, ${stored.messageId}, ${answer.text},
      ${[...messageTerms(workspaceId, answer.text)]}, ${JSON.stringify(answer.sources)}, ${answer.tokensUsed},
      ${answer.confidence}, ${answer.score}, ${[...answer.skillsFired]}, ${turn.latencyMs}, ${turn.ended}
    ) as id
  `;
}
