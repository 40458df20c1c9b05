import { LRUCache } from 'lru-cache';

const WINDOW_MS = 10_000;
const MAX_KEYS = 100;

/** Counts equal errors, so that a log tells of the first one whole and of the others by number. */
export class RepeatedErrors {
  readonly #counts = new LRUCache<string, { count: number }>({ max: MAX_KEYS });

  /**
   * Returns true for the first error of its key. `report` gets the number of the others after ten seconds, if there were any;
   * the next error is then a first one again.
   */
  note(key: string, report: (count: number) => void): boolean {
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.count += 1;
      return false;
    }
    const counted = { count: 0 };
    this.#counts.set(key, counted);
    setTimeout(() => {
      this.#counts.delete(key);
      if (counted.count > 0) report(counted.count);
    }, WINDOW_MS).unref();
    return true;
  }
}
