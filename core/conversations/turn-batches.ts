import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { Together } from '../together.ts';
import { type KeptTurn, type PendingTurn, storeTurns } from './store-turns.ts';
import type { CompanionKind } from './turn.ts';
import type { TurnRow } from './turn-row.ts';

/** In a channel a session is a lane: of two processes that lock several, neither waits for the other. */
function byPlace({ row: one }: PendingTurn, { row: other }: PendingTurn): number {
  return placeOf(one) < placeOf(other) ? -1 : 1;
}

function placeOf({ asked_session, asked_conversation }: TurnRow): string {
  return `${asked_session ?? ''} ${asked_conversation ?? ''}`;
}

/**
 * Stores turns while others are being stored, in one go: each commit waits for the disk, and fifty answers at once would
 * wait for one another's, and for the owner's count of messages.
 */
export class TurnBatches {
  readonly #together: Together<CompanionKind | undefined, PendingTurn, KeptTurn | undefined>;

  constructor(database: Kysely<Tables>) {
    this.#together = new Together({
      nameOf: (kind) => kind?.name ?? '',
      run: async (kind, turns) => {
        const kept = await storeTurns(database, kind, turns.toSorted(byPlace));
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
  store(turn: PendingTurn): Promise<KeptTurn | undefined> {
    return this.#together.ask(turn.companion?.kind, turn);
  }
}
