import { performance } from 'node:perf_hooks';
import { FairQueue, OwnerCounts } from './fair-queue.ts';

export interface AdaptiveConcurrencyOptions {
  readonly most: number;
  /** Of each owner so many begin in any case, however much of others is stuck; none when absent. */
  readonly least?: number;
  /**
   * While the process has no time to spare. One more begins at each look all the same, as it may not be them who keep the
   * process busy.
   */
  readonly mostWhenBusy: number;
  /**
   * Also then one for each so many that were done well, up to so many, where that is more: what a crash leaves half done
   * stays a small part of the whole.
   */
  readonly whenProven?: { readonly oneForEach: number; readonly most: number };
  /** How much of its time the process had something to do since it was asked last, 0 to 1; measured when absent. */
  readonly utilization?: () => number;
}

const busyUtilization = 0.5;
const sampleIntervalMs = 20;

/**
 * Lets work begin at once where it waits for others, such as for a model, and a little at a time where it keeps the
 * process itself busy; in the order in which it came, and that of several owners by turns.
 */
export class AdaptiveConcurrency {
  readonly #waiting = new FairQueue<() => void>();
  readonly #most: number;
  readonly #least: number;
  readonly #mostWhenBusy: number;
  readonly #whenProven: NonNullable<AdaptiveConcurrencyOptions['whenProven']>;
  readonly #utilization: () => number;
  readonly #running = new OwnerCounts();
  #done = 0;
  /** Until it was seen to have time: all at once would begin together what a crash would leave half done. */
  #isBusy = true;
  #looking: NodeJS.Timeout | undefined;

  constructor({
    most,
    least = 0,
    mostWhenBusy,
    whenProven = { oneForEach: 1, most: 0 },
    utilization = measuredUtilization(),
  }: AdaptiveConcurrencyOptions) {
    this.#most = most;
    this.#least = least;
    this.#mostWhenBusy = mostWhenBusy;
    this.#whenProven = whenProven;
    this.#utilization = utilization;
  }

  /** Whether somebody waits for those who are in. */
  get isCrowded(): boolean {
    return this.#waiting.size > 0;
  }

  /** Settles as the work does. */
  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((begin) => {
      this.#waiting.add(owner, begin);
      this.#begin();
    });
    try {
      const result = await work();
      this.#done += 1;
      return result;
    } finally {
      this.#running.add(owner, -1);
      this.#begin();
    }
  }

  get #room(): number {
    if (!this.#isBusy) return this.#most;
    const { oneForEach, most } = this.#whenProven;
    const proven = Math.min(most, Math.floor(this.#done / oneForEach));
    return Math.min(this.#most, Math.max(this.#mostWhenBusy, proven));
  }

  #begin(room: number = this.#room): void {
    for (;;) {
      const next = this.#waiting.take((owner) => this.#mayBegin(owner, room));
      if (next === null) break;
      this.#running.add(next.owner, 1);
      next.item();
    }
    if (this.#running.all > 0) this.#looking ??= setInterval(() => this.#look(), sampleIntervalMs);
  }

  #mayBegin(owner: string, room: number): boolean {
    if (this.#running.all < room) return true;
    return this.#running.all >= this.#most && this.#running.count(owner) < this.#least;
  }

  #look(): void {
    this.#isBusy = this.#utilization() > busyUtilization;
    this.#begin(Math.min(this.#most, Math.max(this.#room, this.#running.all + 1)));
    if (this.#running.all > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
    this.#isBusy = true;
  }
}

function measuredUtilization(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
