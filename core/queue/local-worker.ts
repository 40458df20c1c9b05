import { setImmediate } from 'node:timers/promises';
import { whenSettled } from '../base/async.ts';
import type { AdaptiveConcurrency } from './adaptive-concurrency.ts';
import { OwnerCounts } from './fair-queue.ts';

interface Job {
  readonly id: string;
  readonly payload: unknown;
  /** Owner for round robin. */
  readonly owner: string;
}

interface Options {
  /** Maximum number of jobs in this process, including those that wait for the gate. */
  readonly capacity: number;
  /** Each owner can always have this many jobs here. None if absent. */
  readonly minPerOwner?: number;
  /** Slots are only reserved while fewer jobs than this are here, so that they start soon. */
  readonly maxBeforeReserve: number;
  readonly gate: AdaptiveConcurrency;
  readonly run: (payload: unknown) => Promise<void>;
  /**
   * Receives a failed job, or one that had not started when the worker was closed, and passes it to the queue.
   */
  readonly passOn: (job: Job, error?: unknown) => Promise<void>;
}

/** A slot for a job that is about to be added. */
export interface LocalSlot {
  /** Runs the job, even after the worker was closed. */
  readonly begin: (job: Omit<Job, 'owner'>) => void;
  /** Releases the slot unused. */
  readonly leave: () => void;
}

/** Runs jobs in the process that adds them, without the queue, while there is room. */
export class LocalWorker {
  readonly #options: Options;
  readonly #jobs = new Set<Promise<void>>();
  readonly #byOwner = new OwnerCounts();
  /** Payloads of jobs that have not started. */
  readonly #waiting = new Set<string>();
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Number of jobs in this process. */
  get size(): number {
    return this.#jobs.size;
  }

  /** True if jobs wait for running ones, as far as this process knows. */
  get isCrowded(): boolean {
    return this.#options.gate.isCrowded || this.size >= this.#options.capacity;
  }

  /**
   * Returns false if there is no room. A job with the same payload as a waiting one counts as accepted, because
   * the waiting job will do the same work.
   */
  tryRun(job: Job): boolean {
    const { owner, payload } = job;
    const payloadKey = JSON.stringify(payload);
    if (this.#waiting.has(payloadKey)) return true;
    if (!this.#hasRoomFor(owner)) return false;
    const { gate, passOn } = this.#options;
    this.#waiting.add(payloadKey);
    const begin = (run: () => Promise<void>) =>
      gate.run(owner, () => {
        this.#waiting.delete(payloadKey);
        return this.#closed ? passOn(job) : run();
      });
    this.#track(owner, this.#runJob(job, begin));
    return true;
  }

  /** Reserves a slot. Null if the job would wait for long. */
  reserveSlot(owner: string): LocalSlot | null {
    const { gate, maxBeforeReserve } = this.#options;
    if (!this.#hasRoomFor(owner) || this.size >= maxBeforeReserve) return null;
    const done = Promise.withResolvers<void>();
    this.#track(owner, done.promise);
    return {
      begin: (job) => done.resolve(this.#runJob({ ...job, owner }, (run) => gate.run(owner, run))),
      leave: () => done.resolve(),
    };
  }

  /** Accepts no more jobs. Resolves when running jobs are done and waiting ones are passed on. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#jobs);
  }

  #hasRoomFor(owner: string): boolean {
    const { capacity, minPerOwner = 0 } = this.#options;
    return !this.#closed && (this.size < capacity || this.#byOwner.count(owner) < minPerOwner);
  }

  #track(owner: string, doing: Promise<void>): void {
    this.#jobs.add(doing);
    this.#byOwner.add(owner, 1);
    whenSettled(doing, () => {
      this.#jobs.delete(doing);
      this.#byOwner.add(owner, -1);
    });
  }

  async #runJob(job: Job, begin: (run: () => Promise<void>) => Promise<void>): Promise<void> {
    const { run, passOn } = this.#options;
    // The caller finishes first, for example acknowledges a webhook.
    await setImmediate();
    try {
      await begin(() => run(job.payload));
    } catch (error) {
      await passOn(job, error);
    }
  }
}
