import { whenSettled } from '../base/async.ts';

/** Maximum delay before ended requests are reported to the database. */
const REPORT_INTERVAL_MS = 50;

/** The state of one key in this process. Of two reports, the one with the higher number is newer. */
export interface InFlightReport {
  /** Requests in flight, including those that are being admitted or refused. */
  readonly requests: number;
  /** Number of admitted requests that have ended so far. */
  readonly ended: number;
  readonly number: number;
}

interface Count {
  requests: number;
  ended: number;
}

const noRequests: Readonly<Count> = { requests: 0, ended: 0 };

interface RequestEnd {
  readonly wasLetIn: boolean;
  /** True if other processes may be waiting for the slot. */
  readonly isAwaited: boolean;
}

interface InFlightOptions {
  /** Stores the report in the database. */
  readonly report: (keyId: string, report: InFlightReport) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/**
 * Counts the requests in flight in this process by key. The own count is exact. Other processes see it with the
 * key's next request, or at most `REPORT_INTERVAL_MS` later.
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

  /** Counts a new request. */
  enter(keyId: string): void {
    this.#getCount(keyId).requests += 1;
  }

  /** Returns the current report, which the caller stores in the database. */
  report(keyId: string): InFlightReport {
    clearTimeout(this.#timers.get(keyId));
    this.#timers.delete(keyId);
    this.#reports += 1;
    const { requests, ended } = this.#counts.get(keyId) ?? noRequests;
    return { requests, ended, number: this.#reports };
  }

  leave(keyId: string, { wasLetIn, isAwaited }: RequestEnd): void {
    const count = this.#getCount(keyId);
    count.requests -= 1;
    if (wasLetIn) count.ended += 1;
    // Keys without requests are removed to save memory.
    if (count.requests === 0 && count.ended === 0) this.#counts.delete(keyId);
    if (isAwaited) this.#sendReport(keyId);
    else if (!this.#closed && !this.#timers.has(keyId)) {
      const timer = setTimeout(() => this.#sendReport(keyId), REPORT_INTERVAL_MS);
      timer.unref();
      this.#timers.set(keyId, timer);
    }
  }

  /** Later ends are not reported: the counts are dropped together with the process row. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all(this.#running);
  }

  #sendReport(keyId: string): void {
    if (this.#closed) return;
    const running = this.#options.report(keyId, this.report(keyId)).catch(this.#options.failed);
    this.#running.add(running);
    whenSettled(running, () => this.#running.delete(running));
  }

  #getCount(keyId: string): Count {
    const count = this.#counts.get(keyId) ?? { ...noRequests };
    this.#counts.set(keyId, count);
    return count;
  }
}
