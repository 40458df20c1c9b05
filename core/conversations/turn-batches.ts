import type { Kysely } from 'kysely';
import { MicroBatcher } from '../storage/micro-batcher.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { PiggybackBatch, type PiggybackItem, type PiggybackResult } from './piggyback-batch.ts';
import { type PendingTurn, type StoredTurnRow, storeTurns } from './store-turns.ts';
import type { CompanionKind } from './turn.ts';

/**
 * Stores turns while others are being stored, in one go: each commit waits for the disk, and fifty answers at once would
 * wait for one another's, and for the owner's count of messages.
 */
export class TurnBatcher {
  readonly #together: MicroBatcher<CompanionKind | undefined, PendingTurn, StoredTurnRow | undefined>;
  /** By names of kinds. */
  readonly #riders = new Map<string, PiggybackBatch>();

  constructor(database: Kysely<Tables>) {
    this.#together = new MicroBatcher({
      nameOf: (kind) => kind?.name ?? '',
      run: async (kind, turns) => {
        const { kept } = await this.#ridersOf(kind).storeWithWaiting(
          (riders) => storeTurns(database, { kind, turns, riders }),
          // Each of several is tried alone after a failure.
          { triesAgain: turns.length > 1 },
        );
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
  store(turn: PendingTurn): Promise<StoredTurnRow | undefined> {
    return this.#together.add(turn.companion?.kind, turn);
  }

  /** Notes it with turns of the kind, if such are being stored; null where it has to be noted by itself. */
  addToNextBatch(kind: CompanionKind, rider: PiggybackItem): Promise<PiggybackResult | null> {
    return this.#ridersOf(kind).add(rider);
  }

  #ridersOf(kind: CompanionKind | undefined): PiggybackBatch {
    const name = kind?.name ?? '';
    const riders = this.#riders.get(name) ?? new PiggybackBatch();
    this.#riders.set(name, riders);
    return riders;
  }
}
