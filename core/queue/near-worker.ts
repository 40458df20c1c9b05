import { setImmediate } from 'node:timers/promises';
import type { BusyGate } from './busy-gate.ts';

interface Job {
  readonly id: string;
  readonly payload: unknown;
}

interface Options {
  /** So many at most are here, those that wait for their turn included. */
  readonly room: number;
  readonly gate: BusyGate;
  readonly run: (payload: unknown) => Promise<void>;
  /** Hears of a job that failed, or that was not begun when this was closed: it is for others now. */
  readonly passOn: (job: Job, error?: unknown) => Promise<void>;
}

/** Does jobs in the process that they come up in, without the way through the queue, for as long as there is room. */
export class NearWorker {
  readonly #options: Options;
  readonly #here = new Set<Promise<void>>();
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** How many are here. */
  get size(): number {
    return this.#here.size;
  }

  /** False where there is no room for it. */
  take(job: Job): boolean {
    if (this.#closed || this.size >= this.#options.room) return false;
    const doing = this.#do(job).finally(() => this.#here.delete(doing));
    this.#here.add(doing);
    return true;
  }

  /** Takes nothing more, and resolves when what runs is done and the rest passed on. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#here);
  }

  async #do(job: Job): Promise<void> {
    const { gate, run, passOn } = this.#options;
    // Whoever added it has something to do first, such as to thank for it.
    await setImmediate();
    try {
      await gate.pass(() => (this.#closed ? passOn(job) : run(job.payload)));
    } catch (error) {
      await passOn(job, error);
    }
  }
}
