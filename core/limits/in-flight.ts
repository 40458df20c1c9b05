import { whenSettled } from '../async.ts';

/** The database hears of requests that have ended at the latest after this time. */
const reportIntervalMs = 50;

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
  readonly report: (keyId: string, report: InFlightReport) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/**
 * The requests that this process has in flight, by key. It knows its own to the last one; what other processes hear
 * of goes along with the next request of the key, or a moment later.
 */
export class InFlightRequests {
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
  enter(keyId: string): void {
    this.#countOf(keyId).requests += 1;
  }

  /** What there is to tell by now: the caller takes it to the database. */
  report(keyId: string): InFlightReport {
    clearTimeout(this.#timers.get(keyId));
    this.#timers.delete(keyId);
    this.#reports += 1;
    const { requests, ended } = this.#counts.get(keyId) ?? noRequests;
    return { requests, ended, number: this.#reports };
  }

  leave(keyId: string, { wasLetIn, isAwaited }: Leaving): void {
    const count = this.#countOf(keyId);
    count.requests -= 1;
    if (wasLetIn) count.ended += 1;
    // A key without requests is not remembered.
    if (count.requests === 0 && count.ended === 0) this.#counts.delete(keyId);
    if (isAwaited) this.#tell(keyId);
    else if (!this.#closed && !this.#timers.has(keyId)) {
      const timer = setTimeout(() => this.#tell(keyId), reportIntervalMs);
      timer.unref();
      this.#timers.set(keyId, timer);
    }
  }

  /** What ends from now on is not told: it is forgotten with the process. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all(this.#running);
  }

  #tell(keyId: string): void {
    if (this.#closed) return;
    const running = this.#options.report(keyId, this.report(keyId)).catch(this.#options.failed);
    this.#running.add(running);
    whenSettled(running, () => this.#running.delete(running));
  }

  #countOf(keyId: string): Count {
    const count = this.#counts.get(keyId) ?? { ...noRequests };
    this.#counts.set(keyId, count);
    return count;
  }
}
