import { performance } from 'node:perf_hooks';
import { FairQueue, OwnerCounts } from './fair-queue.ts';

export interface AdaptiveConcurrencyOptions {
  readonly most: number;
  /** Each owner can always run this many jobs, even if other owners fill all slots. None if absent. */
  readonly least?: number;
  /**
   * Limit while the event loop is busy. One more job starts at each sample anyway, because the jobs may not be
   * the cause of the load.
   */
  readonly mostWhenBusy: number;
  /**
   * Raises the busy limit by one for every `oneForEach` completed jobs, up to `most`, so that a crash leaves
   * only a small share of all work unfinished.
   */
  readonly whenProven?: { readonly oneForEach: number; readonly most: number };
  /** Returns the event loop utilization since the last call, 0 to 1. Measured if absent. */
  readonly utilization?: () => number;
}

const BUSY_UTILIZATION = 0.5;
const SAMPLE_INTERVAL_MS = 20;

/**
 * Limits concurrency by the load of this process: jobs that wait for others, such as a language model, start at
 * once, and CPU-bound jobs start slowly. Owners take turns, and each owner's jobs start in their order.
 */
export class AdaptiveConcurrency {
  readonly #waiting = new FairQueue<() => void>();
  readonly #max: number;
  readonly #minPerOwner: number;
  readonly #maxWhenBusy: number;
  readonly #whenProven: NonNullable<AdaptiveConcurrencyOptions['whenProven']>;
  readonly #utilization: () => number;
  readonly #running = new OwnerCounts();
  #completed = 0;
  /**
   * True until a sample shows that the process is idle. Otherwise a burst at the start would leave many jobs
   * unfinished after a crash.
   */
  #isBusy = true;
  #sampleTimer: NodeJS.Timeout | undefined;

  constructor({
    most,
    least = 0,
    mostWhenBusy,
    whenProven = { oneForEach: 1, most: 0 },
    utilization = measureUtilization(),
  }: AdaptiveConcurrencyOptions) {
    this.#max = most;
    this.#minPerOwner = least;
    this.#maxWhenBusy = mostWhenBusy;
    this.#whenProven = whenProven;
    this.#utilization = utilization;
  }

  /** True if jobs are queued. */
  get isCrowded(): boolean {
    return this.#waiting.size > 0;
  }

  /** Settles as the work does. */
  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((start) => {
      this.#waiting.add(owner, start);
      this.#startWaiting();
    });
    try {
      const result = await work();
      this.#completed += 1;
      return result;
    } finally {
      this.#running.add(owner, -1);
      this.#startWaiting();
    }
  }

  get #limit(): number {
    if (!this.#isBusy) return this.#max;
    const { oneForEach, most } = this.#whenProven;
    const proven = Math.min(most, Math.floor(this.#completed / oneForEach));
    return Math.min(this.#max, Math.max(this.#maxWhenBusy, proven));
  }

  #startWaiting(limit: number = this.#limit): void {
    for (;;) {
      const next = this.#waiting.take((owner) => this.#mayStart(owner, limit));
      if (next === null) break;
      this.#running.add(next.owner, 1);
      next.item();
    }
    if (this.#running.all > 0) this.#sampleTimer ??= setInterval(() => this.#sample(), SAMPLE_INTERVAL_MS);
  }

  #mayStart(owner: string, limit: number): boolean {
    if (this.#running.all < limit) return true;
    return this.#running.all >= this.#max && this.#running.count(owner) < this.#minPerOwner;
  }

  #sample(): void {
    this.#isBusy = this.#utilization() > BUSY_UTILIZATION;
    this.#startWaiting(Math.min(this.#max, Math.max(this.#limit, this.#running.all + 1)));
    if (this.#running.all > 0) return;
    clearInterval(this.#sampleTimer);
    this.#sampleTimer = undefined;
    this.#isBusy = true;
  }
}

function measureUtilization(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
