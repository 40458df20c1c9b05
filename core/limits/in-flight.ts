import { whenSettled } from '../async.ts';

/** The database hears of requests that have ended at the latest after this time. */
const lagMs = 50;

/** Of one key and this process. Of two reports the one with the higher number is newer. */
export interface InFlightReport {
  /** In flight, those included that are only about to be let in, or refused. */
  readonly requests: number;
  /** How many of those that were let in have ended so far. */
  readonly ended: number;
  readonly number: number;
}

interface Count {
  requests: number;
  ended: number;
}

const noRequests: Readonly<Count> = { requests: 0, ended: 0 };

interface Leaving {
  readonly wasLetIn: boolean;
  /** Other processes may be waiting for the room. */
  readonly isAwaited: boolean;
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
  readonly #counts = new Map<string, Count>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #reports = 0;
  #closed = false;

  constructor(options: InFlightOptions) {
    this.#options = options;
  }

  /** One more has come. */
  enter(keyHash: string): void {
    this.#countOf(keyHash).requests += 1;
  }

  /** What there is to tell by now: the caller takes it to the database. */
  report(keyHash: string): InFlightReport {
    clearTimeout(this.#timers.get(keyHash));
    this.#timers.delete(keyHash);
    this.#reports += 1;
    const { requests, ended } = this.#counts.get(keyHash) ?? noRequests;
    return { requests, ended, number: this.#reports };
  }

  leave(keyHash: string, { wasLetIn, isAwaited }: Leaving): void {
    const count = this.#countOf(keyHash);
    count.requests -= 1;
    if (wasLetIn) count.ended += 1;
    // What nobody was let in with may be anything: it is not remembered.
    if (count.requests === 0 && count.ended === 0) this.#counts.delete(keyHash);
    if (isAwaited) this.#tell(keyHash);
    else if (!this.#closed && !this.#timers.has(keyHash)) {
      const timer = setTimeout(() => this.#tell(keyHash), lagMs);
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

  #tell(keyHash: string): void {
    if (this.#closed) return;
    const running = this.#options.report(keyHash, this.report(keyHash)).catch(this.#options.failed);
    this.#running.add(running);
    whenSettled(running, () => this.#running.delete(running));
  }

  #countOf(keyHash: string): Count {
    const count = this.#counts.get(keyHash) ?? { ...noRequests };
    this.#counts.set(keyHash, count);
    return count;
  }
}
