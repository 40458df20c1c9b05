import { type Kysely, sql } from 'kysely';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Tables } from '../storage/tables.ts';
import { messageTerms } from './message-terms.ts';
import { type MemorySpan, memorySpanOf } from './summaries/memory-span.ts';
import type { StoredTurn, Turn } from './turn.ts';

export interface TurnInStore {
  readonly stored: StoredTurn;
  /** The deliveries to webhooks that were kept with it. */
  readonly told: readonly string[];
  readonly span: MemorySpan;
}

/** One round trip and, outside a transaction, one commit. Throws `conversation_not_found`. */
export async function storeTurn(database: Kysely<Tables>, turn: Turn, now: Date): Promise<TurnInStore> {
  const { answer, customer, workspaceId } = turn;
  const messageId = newId('msg');
  const { rows } = await sql<{ id: string | null; told: string[]; span: number[] }>`
    select id, told_deliveries() as told, memory_span(id) as span from store_turn(
      ${workspaceId}, ${turn.conversationId}, ${newId('conv')}, ${newId('evt')}, ${turn.channel}, ${turn.sessionId},
      ${now}, ${customer?.email ?? null}, ${customer?.name ?? null}, ${customer?.phone ?? null},
      ${turn.userId}, ${newId('msg')}, ${turn.question}, ${turn.metadata === null ? null : JSON.stringify(turn.metadata)},
      ${[...messageTerms(workspaceId, turn.question)]}, ${messageId}, ${answer.text},
      ${[...messageTerms(workspaceId, answer.text)]}, ${JSON.stringify(answer.sources)}, ${answer.tokensUsed},
      ${answer.confidence}, ${answer.score}, ${[...answer.skillsFired]}, ${turn.latencyMs}, ${turn.ended}
    ) as id
  `.execute(database);
  const [row] = rows;
  if (row?.id == null) throw new AppError('conversation_not_found');
  const stored = { conversationId: row.id, messageId };
  return { stored, told: row.told, span: memorySpanOf(row.span) };
}
