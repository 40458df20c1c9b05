import { isDatabaseFault } from '../sql-errors.ts';

/** SQLSTATEs of a disk that is full, or that fails. */
const diskStates: readonly string[] = ['53100', '58030'];

const WINDOW_MS = 10_000;

/** Remembers which statements of this process the storage of the database failed lately. */
export class StatementFaults {
  #lastAt = Number.NEGATIVE_INFINITY;
  #lastReason: string | null = null;

  note(error: unknown): void {
    if (!isDatabaseFault(error) || !(error instanceof Error)) return;
    if (!('code' in error) || typeof error.code !== 'string' || !diskStates.includes(error.code)) return;
    this.#lastAt = performance.now();
    this.#lastReason = error.message;
  }

  /** Returns why the disk refused a statement in the last ten seconds; null if it refused none. */
  get reason(): string | null {
    return performance.now() - this.#lastAt < WINDOW_MS ? this.#lastReason : null;
  }
}
