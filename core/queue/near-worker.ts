import { performance } from 'node:perf_hooks';

interface Options {
  /** So many at once, those that wait for their turn included. */
  readonly concurrency: number;
  readonly run: (payload: unknown) => Promise<void>;
  /** Hears of a job that failed: it is to be tried again by others. */
  readonly failed: (id: string, payload: unknown, error: unknown) => void;
  /** How much of its time the process had something to do since it was asked last, 0 to 1; as measured when absent. */
  readonly utilization?: () => number;
}

interface Job {
  readonly id: string;
  readonly payload: unknown;
}

/** While the process has no time to spare, this many fill it: more would only hold up whoever wants to be thanked. */
const mostWhenBusy = 6;
const busyAbove = 0.8;
const lookMs = 20;

/**
 * Does jobs in the process that they come up in, without the way through the queue, for as long as there is room. Many run
 * at once where they wait for others, such as for a model; few where they keep the process itself busy.
 */
export class NearWorker {
  readonly #options: Options;
  readonly #waiting: Job[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #utilization: () => number;
  /** Until it was seen to have time: all at once would begin together what a crash would leave half done. */
  #isBusy = true;
  #looking: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#utilization = options.utilization ?? measuredUtilization();
  }

  get running(): number {
    return this.#running.size + this.#waiting.length;
  }

  /** False where there is no room for it. */
  take(id: string, payload: unknown): boolean {
    if (this.#closed || this.running >= this.#options.concurrency) return false;
    this.#waiting.push({ id, payload });
    // Whoever added it has something to do first, such as to thank for it.
    setImmediate(() => this.#start());
    return true;
  }

  /** Takes nothing more, and resolves when what runs is done. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.running > 0) {
      this.#start();
      await Promise.race(this.#running);
    }
    clearInterval(this.#looking);
  }

  #start(): void {
    while (this.#waiting.length > 0 && !(this.#isBusy && this.#running.size >= mostWhenBusy)) {
      const job = this.#waiting.shift();
      if (job !== undefined) this.#begin(job);
    }
    if (this.running > 0) this.#looking ??= setInterval(() => this.#look(), lookMs);
  }

  #begin({ id, payload }: Job): void {
    const { run, failed } = this.#options;
    const doing = run(payload)
      .catch((error: unknown) => failed(id, payload, error))
      .finally(() => {
        this.#running.delete(doing);
        this.#start();
      });
    this.#running.add(doing);
  }

  #look(): void {
    this.#isBusy = this.#utilization() > busyAbove;
    this.#start();
    if (this.running > 0) return;
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
