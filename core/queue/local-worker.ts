import { setImmediate } from 'node:timers/promises';
import { whenSettled } from '../async.ts';
import type { AdaptiveConcurrency } from './adaptive-concurrency.ts';
import { OwnerCounts } from './fair-queue.ts';

interface Job {
  readonly id: string;
  readonly payload: unknown;
  /** Whose turn it takes. */
  readonly owner: string;
}

interface Options {
  /** So many at most are here, those that wait for their turn included. */
  readonly room: number;
  /** Of each owner so many are here in any case; none when absent. */
  readonly least?: number;
  /** As long as fewer are here one that comes up is soon begun. */
  readonly soon: number;
  readonly gate: AdaptiveConcurrency;
  readonly run: (payload: unknown) => Promise<void>;
  /** Hears of a job that failed, or that was not begun when this was closed: it is for others now. */
  readonly passOn: (job: Job, error?: unknown) => Promise<void>;
}

/** For a job that is about to come up. */
export interface LocalSlot {
  /** It is done then, also where all else is passed on already. */
  readonly begin: (job: Omit<Job, 'owner'>) => void;
  /** It did not come up. */
  readonly leave: () => void;
}

/** Does jobs in the process that they come up in, without the way through the queue, for as long as there is room. */
export class LocalWorker {
  readonly #options: Options;
  readonly #here = new Set<Promise<void>>();
  readonly #byOwner = new OwnerCounts();
  /** What those have to do that were not begun. */
  readonly #waiting = new Set<string>();
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** How many are here. */
  get size(): number {
    return this.#here.size;
  }

  /** Whether others wait for those who are here, as far as this process knows. */
  get isCrowded(): boolean {
    return this.#options.gate.isCrowded || this.size >= this.#options.room;
  }

  /** False where there is no room for it. One that waits here does what another of the same would find to do. */
  tryRun(job: Job): boolean {
    const { owner, payload } = job;
    const what = JSON.stringify(payload);
    if (this.#waiting.has(what)) return true;
    if (!this.#hasRoomFor(owner)) return false;
    const { gate, passOn } = this.#options;
    this.#waiting.add(what);
    const begin = (run: () => Promise<void>) =>
      gate.run(owner, () => {
        this.#waiting.delete(what);
        return this.#closed ? passOn(job) : run();
      });
    this.#keep(owner, this.#do(job, begin));
    return true;
  }

  /** Null where a job would have to wait for long. */
  reserveSlot(owner: string): LocalSlot | null {
    const { gate, soon } = this.#options;
    if (!this.#hasRoomFor(owner) || this.size >= soon) return null;
    const used = Promise.withResolvers<void>();
    this.#keep(owner, used.promise);
    return {
      begin: (job) => used.resolve(this.#do({ ...job, owner }, (run) => gate.run(owner, run))),
      leave: () => used.resolve(),
    };
  }

  /** Takes nothing more, and resolves when what runs is done and the rest passed on. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#here);
  }

  #hasRoomFor(owner: string): boolean {
    const { room, least = 0 } = this.#options;
    return !this.#closed && (this.size < room || this.#byOwner.count(owner) < least);
  }

  #keep(owner: string, doing: Promise<void>): void {
    this.#here.add(doing);
    this.#byOwner.add(owner, 1);
    whenSettled(doing, () => {
      this.#here.delete(doing);
      this.#byOwner.add(owner, -1);
    });
  }

  async #do(job: Job, begin: (run: () => Promise<void>) => Promise<void>): Promise<void> {
    const { run, passOn } = this.#options;
    // Whoever added it has something to do first, such as to thank for it.
    await setImmediate();
    try {
      await begin(() => run(job.payload));
    } catch (error) {
      await passOn(job, error);
    }
  }
}
