import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { Together } from '../together.ts';
import { type KeptTurn, storeTurns } from './store-turns.ts';
import type { TurnRow } from './turn-row.ts';

/**
 * Stores turns that begin a conversation while others are being stored, in one go: each commit waits for the disk, and
 * fifty answers at once would wait for one another's. A turn of a conversation that is there may have to wait for its row,
 * and nobody should wait for it.
 */
export class TurnBatches {
  readonly #database: Kysely<Tables>;
  readonly #beginnings: Together<'beginnings', TurnRow, KeptTurn | undefined>;

  constructor(database: Kysely<Tables>) {
    this.#database = database;
    this.#beginnings = new Together({
      nameOf: (name) => name,
      run: async (_, rows) => {
        const kept = await storeTurns(database, rows);
        const byMessage = new Map(kept.map((turn) => [turn.message_id, turn]));
        // What was kept for webhooks is of all of them, and told of once.
        const told = kept.at(-1)?.told ?? [];
        return (row, index) => {
          const turn = byMessage.get(row.answer_id);
          return turn && { ...turn, told: index === 0 ? told : [] };
        };
      },
      thenAlone: true,
    });
  }

  /** Resolves when it cannot be lost any more; with undefined where its conversation is not there. */
  async store(row: TurnRow): Promise<KeptTurn | undefined> {
    if (row.asked_conversation === null) return this.#beginnings.ask('beginnings', row);
    const [kept] = await storeTurns(this.#database, [row]);
    return kept;
  }
}
