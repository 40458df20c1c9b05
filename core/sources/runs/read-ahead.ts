import { Flights } from '../flights.ts';
import { findWaiting, toKnownItem } from './read-items.ts';
import type { ItemRow, OpenRun } from './settle-item.ts';

/** Answers that are waited for at a time. */
const AT_ONCE = 3;

/**
 * Gives the items of a run in the order in which their answers come, so that a slow one does not stop the others. They are
 * judged and stored one after the other: whether a page is a copy depends on those before it.
 */
export class ReadAhead {
  readonly #open: OpenRun;
  readonly #flights = new Flights<ItemRow>();

  constructor(open: OpenRun) {
    this.#open = open;
  }

  /** Returns undefined if no item is left. Without `begins`, only those are given that were asked for before. */
  async next({ begins }: { readonly begins: boolean }): Promise<ItemRow | undefined> {
    const { reader } = this.#open;
    if (reader.ahead === undefined) return begins ? findWaiting(this.#open) : undefined;
    while (begins && this.#flights.size < AT_ONCE) {
      const row = await findWaiting(this.#open, { except: this.#flights.keys });
      if (row === undefined || this.#hasToWait(row)) break;
      this.#begin(row);
    }
    return this.#flights.land();
  }

  /** An item with a document may move to one that has none, which is not read before that is known. */
  #hasToWait({ document_id: documentId }: ItemRow): boolean {
    const isMoving = this.#flights.rows.some((row) => row.document_id !== null);
    return documentId === null && isMoving;
  }

  #begin(row: ItemRow): void {
    const { reader, isWanted } = this.#open;
    const item = toKnownItem(row, this.#open);
    const isAsked = isWanted(row.url ?? row.key) || row.depth === 0;
    const answered = isAsked ? reader.ahead?.(item) : undefined;
    this.#flights.begin(row.key, row, answered ?? Promise.resolve());
  }
}
