import { LRUCache } from 'lru-cache';
import type { KnownItem, ListedItem } from '../../source-reader.ts';

/** Enough for several pages of a list. A record that does not fit is requested by itself. */
const MOST_BYTES = 16 * 2 ** 20;

/** The records that a list has just answered with, so that they need no request of their own. */
export class HeldRecords<Found> {
  readonly #records = new LRUCache<string, { readonly record: Found; readonly version: string | undefined }>({
    maxSize: MOST_BYTES,
  });
  #last: { readonly key: string; readonly record: Found } | undefined;

  add({ key, version }: ListedItem, record: Found): void {
    this.#records.set(key, { record, version }, { size: JSON.stringify(record).length + 1 });
  }

  /** Returns the record of the version that is wanted, or of any, if the caller names none. */
  find({ key, version }: KnownItem): Found | undefined {
    const held = this.#records.get(key);
    return held !== undefined && (version === undefined || held.version === version)
      ? held.record
      : undefined;
  }

  /** Keeps the record that was requested last. */
  keepLast({ key }: Pick<KnownItem, 'key'>, record: Found): void {
    this.#last = { key, record };
  }

  /** Returns that record to a caller that names no version: it asks for a file of the record. */
  findLast({ key, version }: KnownItem): Found | undefined {
    return version === undefined && this.#last?.key === key ? this.#last.record : undefined;
  }
}
