import type { Worker } from 'node:worker_threads';
import { EmbeddingError } from './embedder.ts';
import {
  BUSY,
  type EmbeddingReply,
  type EmbeddingRequest,
  type ThreadResult,
  type ThreadWork,
} from './thread-messages.ts';

/** Starts a thread that uses the messages of thread-messages.ts. */
export type StartThread = (activity: Int32Array<SharedArrayBuffer>) => Worker;

interface EmbeddingWorkerEvents {
  /** The worker has loaded its model or finished a unit, and accepts the next one. */
  onIdle(): void;
  /** The thread ended unexpectedly. */
  onDeath(cause: unknown): void;
}

/** One embedding thread and its current unit of work. It keeps the process alive only while it is busy. */
export class EmbeddingWorker {
  readonly #activity = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(BUSY);
  readonly #thread: Worker;
  readonly #events: EmbeddingWorkerEvents;
  #loaded = false;
  #unit: WorkUnit | undefined;
  #ending = false;
  #lastError: unknown;
  readonly #exit = Promise.withResolvers<void>();

  constructor(startThread: StartThread, events: EmbeddingWorkerEvents) {
    this.#events = events;
    this.#thread = startThread(this.#activity);
    this.#thread.on('message', (reply: EmbeddingReply) => this.#onReply(reply));
    this.#thread.on('error', (error) => {
      this.#lastError = error;
    });
    this.#thread.on('exit', () => {
      this.#exit.resolve();
      if (!this.#ending) events.onDeath(this.#lastError);
    });
  }

  /** True once the model was loaded. */
  get loaded(): boolean {
    return this.#loaded;
  }

  get idle(): boolean {
    return this.#loaded && this.#unit === undefined;
  }

  /** The text or pair that the thread is working on. */
  get unit(): WorkUnit | undefined {
    return this.#unit;
  }

  start(unit: WorkUnit): void {
    this.#unit = unit;
    Atomics.store(this.#activity, 0, BUSY);
    this.#thread.ref();
    this.#send(unit.work);
  }

  /** Ends the thread after its current unit: ONNX Runtime aborts the process if a run is interrupted. */
  async end(): Promise<void> {
    this.#ending = true;
    this.#thread.ref();
    this.#send({ kind: 'end' });
    await this.#exit.promise;
  }

  /** Blocks this thread until the worker is between two units, for at most `milliseconds`. */
  waitUntilIdle(milliseconds: number): void {
    Atomics.wait(this.#activity, 0, BUSY, milliseconds);
  }

  #send(request: EmbeddingRequest): void {
    this.#thread.postMessage(request);
  }

  #onReply(reply: EmbeddingReply): void {
    const unit = this.#unit;
    this.#unit = undefined;
    this.#loaded = true;
    if (!this.#ending) this.#thread.unref();
    if (reply.kind !== 'loaded') unit?.task.finish(unit, reply);
    this.#events.onIdle();
  }
}

/** One text or pair of a task, as a thread processes it. */
export interface WorkUnit {
  readonly task: EmbeddingTask;
  readonly index: number;
  readonly work: ThreadWork;
  /** Number of threads that died while they worked on it. */
  readonly deaths: number;
}

/** The texts or pairs of one call. The queue hands them out one at a time. */
export class EmbeddingTask {
  readonly #works: readonly ThreadWork[];
  readonly #onResult: (index: number, result: ThreadResult) => void;
  readonly #outcome = Promise.withResolvers<void>();
  #next = 0;
  #missing: number;
  #settled = false;

  constructor(works: readonly ThreadWork[], onResult: (index: number, result: ThreadResult) => void) {
    this.#works = works;
    this.#onResult = onResult;
    this.#missing = works.length;
    if (works.length === 0) this.#resolve();
  }

  get kind(): ThreadWork['kind'] {
    return this.#works[0]?.kind ?? 'text';
  }

  /** Resolves once each unit has its result. */
  get outcome(): Promise<void> {
    return this.#outcome.promise;
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** True if nothing is left to hand out. */
  get exhausted(): boolean {
    return this.#settled || this.#next === this.#works.length;
  }

  take(): WorkUnit | undefined {
    const index = this.#next;
    const work = this.#works[index];
    if (this.exhausted || work === undefined) return undefined;
    this.#next++;
    return { task: this, index, work, deaths: 0 };
  }

  /** Passes a result on, unless the task is settled: the result of a unit that was running then is of no use. */
  finish(unit: WorkUnit, result: ThreadResult): void {
    if (this.#settled) return;
    if (result.kind === 'unread') {
      this.fail(new EmbeddingError(`The passage could not be read: ${result.reason}`));
      return;
    }
    this.#onResult(unit.index, result);
    this.#missing--;
    if (this.#missing === 0) this.#resolve();
  }

  /** Rejects the outcome and drops the remaining units; does nothing if the task is settled. */
  fail(reason: unknown): void {
    this.#settled = true;
    this.#outcome.reject(reason);
  }

  #resolve(): void {
    this.#settled = true;
    this.#outcome.resolve();
  }
}
