/** Told to the database at the latest after this time, and at once where many are in flight. */
const lagMs = 50;
const many = 25;

interface InFlightOptions {
  /** Takes `ended` requests of the key off this process's count. */
  readonly settle: (keyHash: string, ended: number) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/**
 * Requests that have ended and whose key's count does not know it yet. The next request of the key usually tells it on
 * its way, which saves a round trip.
 */
export class InFlight {
  readonly #options: InFlightOptions;
  readonly #ended = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(options: InFlightOptions) {
    this.#options = options;
  }

  /** How many have ended since this was last asked: whoever asks tells the database. */
  take(keyHash: string): number {
    const ended = this.#ended.get(keyHash) ?? 0;
    this.#ended.delete(keyHash);
    clearTimeout(this.#timers.get(keyHash));
    this.#timers.delete(keyHash);
    return ended;
  }

  /** One has ended; `inFlight` is how many of the key there were when it came. */
  end(keyHash: string, inFlight: number): void {
    this.#ended.set(keyHash, (this.#ended.get(keyHash) ?? 0) + 1);
    if (inFlight >= many) this.#settle(keyHash);
    else if (!this.#timers.has(keyHash)) {
      const timer = setTimeout(() => this.#settle(keyHash), lagMs);
      timer.unref();
      this.#timers.set(keyHash, timer);
    }
  }

  #settle(keyHash: string): void {
    const ended = this.take(keyHash);
    if (ended > 0) this.#options.settle(keyHash, ended).catch(this.#options.failed);
  }
}
