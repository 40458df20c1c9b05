import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { KeptTurn, PendingTurn } from './store-turns.ts';
import { type MemorySpan, memorySpanOf } from './summaries/memory-span.ts';
import type { Companion, StoredTurn, Turn } from './turn.ts';
import { turnRow } from './turn-row.ts';

export interface TurnInStore {
  readonly stored: StoredTurn;
  /** The deliveries to webhooks that were kept with it. */
  readonly told: readonly string[];
  readonly span: MemorySpan;
}

interface Storing {
  readonly now: Date;
  readonly beside: ((stored: StoredTurn) => Companion) | undefined;
  /** Resolves with undefined where its conversation is not there. */
  readonly store: (turn: PendingTurn) => Promise<KeptTurn | undefined>;
}

/** Stores a turn under new ids. Throws `conversation_not_found`, and what the companion's errors mean. */
export async function storeTurn(turn: Turn, { now, beside, store }: Storing): Promise<TurnInStore> {
  const stored = { conversationId: turn.conversationId ?? newId('conv'), messageId: newId('msg') };
  const companion = beside?.(stored);
  const kept = await store({ row: turnRow(turn, stored, now), companion }).catch((error: unknown) => {
    throw companion?.errorOf(error) ?? error;
  });
  if (kept?.id == null) throw new AppError('conversation_not_found');
  companion?.stored?.(kept.beside);
  return { stored, told: kept.told, span: memorySpanOf(kept.span) };
}
