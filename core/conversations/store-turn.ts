import type { Kysely } from 'kysely';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Tables } from '../storage/tables.ts';
import { type KeptTurn, storeTurnWith } from './store-turns.ts';
import { type MemorySpan, memorySpanOf } from './summaries/memory-span.ts';
import type { Companion, StoredTurn, Turn } from './turn.ts';
import { type TurnRow, turnRow } from './turn-row.ts';

export interface TurnInStore {
  readonly stored: StoredTurn;
  /** The deliveries to webhooks that were kept with it. */
  readonly told: readonly string[];
  readonly span: MemorySpan;
}

interface Storing {
  readonly now: Date;
  readonly beside: ((stored: StoredTurn) => Companion) | undefined;
  /** Stores what has nothing beside it. */
  readonly storePlain: (row: TurnRow) => Promise<KeptTurn | undefined>;
}

/**
 * One round trip and, outside a transaction, one commit, with what is stored beside it. Throws `conversation_not_found`,
 * and what the companion's errors mean.
 */
export async function storeTurn(
  database: Kysely<Tables>,
  turn: Turn,
  { now, beside, storePlain }: Storing,
): Promise<TurnInStore> {
  const stored = { conversationId: turn.conversationId ?? newId('conv'), messageId: newId('msg') };
  const row = turnRow(turn, stored, now);
  const companion = beside?.(stored);
  const kept = companion === undefined ? await storePlain(row) : await storeBeside(database, row, companion);
  if (kept?.id == null) throw new AppError('conversation_not_found');
  companion?.stored?.(kept.beside);
  return { stored, told: kept.told, span: memorySpanOf(kept.span) };
}

async function storeBeside(
  database: Kysely<Tables>,
  row: TurnRow,
  { expression, errorOf }: Companion,
): Promise<KeptTurn | undefined> {
  const [kept] = await storeTurnWith(database, row, expression).catch((error: unknown) => {
    throw errorOf(error);
  });
  return kept;
}
