/** The database hears of requests that have ended at the latest after this time. */
const lagMs = 50;

/** How many requests of one key this process has in flight. Of two reports the one with the higher number is newer. */
export interface InFlightReport {
  readonly requests: number;
  readonly number: number;
}

interface InFlightOptions {
  /** Tells the database. */
  readonly report: (keyHash: string, report: InFlightReport) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/**
 * The requests that this process has in flight, by key. It knows its own to the last one; what other processes hear
 * of goes along with the next request of the key, or a moment later.
 */
export class InFlight {
  readonly #options: InFlightOptions;
  readonly #requests = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #reports = 0;
  #closed = false;

  constructor(options: InFlightOptions) {
    this.#options = options;
  }

  /** One more has come; the caller takes the report to the database. */
  enter(keyHash: string): InFlightReport {
    this.#requests.set(keyHash, (this.#requests.get(keyHash) ?? 0) + 1);
    return this.#next(keyHash);
  }

  /** One has ended; `isAwaited` when other processes may be waiting for the room. */
  leave(keyHash: string, isAwaited: boolean): void {
    const left = (this.#requests.get(keyHash) ?? 1) - 1;
    if (left > 0) this.#requests.set(keyHash, left);
    else this.#requests.delete(keyHash);
    if (isAwaited) this.#report(keyHash);
    else if (!this.#closed && !this.#timers.has(keyHash)) {
      const timer = setTimeout(() => this.#report(keyHash), lagMs);
      timer.unref();
      this.#timers.set(keyHash, timer);
    }
  }

  /** What ends from now on is not told: it is forgotten with the process. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all(this.#running);
  }

  #report(keyHash: string): void {
    if (this.#closed) return;
    const running = this.#options
      .report(keyHash, this.#next(keyHash))
      .catch(this.#options.failed)
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  #next(keyHash: string): InFlightReport {
    clearTimeout(this.#timers.get(keyHash));
    this.#timers.delete(keyHash);
    this.#reports += 1;
    return { requests: this.#requests.get(keyHash) ?? 0, number: this.#reports };
  }
}
