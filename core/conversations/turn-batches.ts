import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { Together } from '../together.ts';
import { type KeptTurn, type PendingTurn, storeTurns } from './store-turns.ts';
import type { CompanionKind } from './turn.ts';

/** In a channel a session is a lane: of two processes that lock several, neither waits for the other. */
function bySession({ row: one }: PendingTurn, { row: other }: PendingTurn): number {
  return (one.asked_session ?? '') < (other.asked_session ?? '') ? -1 : 1;
}

/**
 * Stores turns that begin a conversation while others are being stored, in one go: each commit waits for the disk, and
 * fifty answers at once would wait for one another's. A turn of a conversation that is there may have to wait for its row,
 * and nobody should wait for it.
 */
export class TurnBatches {
  readonly #database: Kysely<Tables>;
  readonly #beginnings: Together<CompanionKind | undefined, PendingTurn, KeptTurn | undefined>;

  constructor(database: Kysely<Tables>) {
    this.#database = database;
    this.#beginnings = new Together({
      nameOf: (kind) => kind?.name ?? '',
      run: async (kind, turns) => {
        const kept = await storeTurns(database, kind, turns.toSorted(bySession));
        const byMessage = new Map(kept.map((turn) => [turn.message_id, turn]));
        // What was kept for webhooks is of all of them, and told of once.
        const told = kept.at(-1)?.told ?? [];
        return ({ row }, index) => {
          const turn = byMessage.get(row.answer_id);
          return turn && { ...turn, told: index === 0 ? told : [] };
        };
      },
      thenAlone: 'at once',
      gathers: true,
      most: (kind) => kind?.most ?? Number.POSITIVE_INFINITY,
    });
  }

  /** Resolves when it cannot be lost any more; with undefined where its conversation is not there. */
  async store(turn: PendingTurn): Promise<KeptTurn | undefined> {
    const kind = turn.companion?.kind;
    if (turn.row.asked_conversation === null) return this.#beginnings.ask(kind, turn);
    const [kept] = await storeTurns(this.#database, kind, [turn]);
    return kept;
  }
}
