import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Tables } from '../storage/tables.ts';
import type { WakeDeliveries } from '../webhooks/delivery-waker.ts';
import { toldDeliveries } from '../webhooks/told-deliveries.ts';
import { applyEffects } from './apply-effects.ts';
import {
  type ConversationMemory,
  type ConversationRequest,
  recallConversation,
} from './conversation-memory.ts';
import { storeTurn, type TurnInStore } from './store-turn.ts';
import type { WakeSummary } from './summaries/summary-waker.ts';
import type { StoredTurn, StoredTurnHook, Turn } from './turn.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly wakeDeliveries?: WakeDeliveries;
  /** Absent where nobody summarises. */
  readonly wakeSummary?: WakeSummary | undefined;
}

/** Conversations and their messages. */
export class Conversations {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Throws `conversation_not_found` where the conversation is not open to who asks. */
  recall(request: ConversationRequest): Promise<ConversationMemory> {
    return recallConversation(this.#dependencies.database, request);
  }

  /**
   * Stores a question with its answer, both or neither; makes the conversation when there is none yet. `within` runs in
   * the same transaction: when it fails, nothing is stored. Throws `conversation_not_found`.
   */
  async storeTurn(turn: Turn, within?: StoredTurnHook): Promise<StoredTurn> {
    const { wakeDeliveries, wakeSummary } = this.#dependencies;
    const { stored, told, span } = await this.#store(turn, within);
    wakeDeliveries?.(told);
    wakeSummary?.(stored.conversationId, span);
    return stored;
  }

  async #store(turn: Turn, within: StoredTurnHook | undefined): Promise<TurnInStore> {
    const { database, clock } = this.#dependencies;
    const now = clock.now();
    const isPlain = turn.effects.length === 0 && turn.awaited === undefined;
    if (within === undefined && isPlain) return storeTurn(database, turn, now);
    return database.transaction().execute(async (transaction) => {
      const kept = await storeTurn(transaction, turn, now);
      if (!isPlain) await applyEffects(transaction, { ...turn, ...kept.stored }, now);
      await within?.(transaction, kept.stored);
      return isPlain ? kept : { ...kept, told: await toldDeliveries(transaction) };
    });
  }
}
