import type { Worker } from 'node:worker_threads';
import { BUSY, type EmbeddingReply, type EmbeddingRequest } from './thread-messages.ts';

/** Starts a thread that uses the messages of thread-messages.ts. */
export type StartThread = (activity: Int32Array<SharedArrayBuffer>) => Worker;

interface EmbeddingWorkerEvents {
  /** The worker has loaded its model or finished a text, and accepts the next one. */
  onIdle(): void;
  /** The thread ended unexpectedly. */
  onDeath(cause: unknown): void;
}

/** One embedding thread and its current text. It keeps the process alive only while it is busy. */
export class EmbeddingWorker {
  readonly #activity = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(BUSY);
  readonly #thread: Worker;
  readonly #events: EmbeddingWorkerEvents;
  #loaded = false;
  #unit: EmbeddingText | undefined;
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

  /** The text that the thread is embedding. */
  get unit(): EmbeddingText | undefined {
    return this.#unit;
  }

  start(unit: EmbeddingText): void {
    this.#unit = unit;
    Atomics.store(this.#activity, 0, BUSY);
    this.#thread.ref();
    this.#send({ kind: 'text', text: unit.text });
  }

  /** Ends the thread after its current text: ONNX Runtime aborts the process if a run is interrupted. */
  async end(): Promise<void> {
    this.#ending = true;
    this.#thread.ref();
    this.#send({ kind: 'end' });
    await this.#exit.promise;
  }

  /** Blocks this thread until the worker is between two texts, for at most `milliseconds`. */
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
    if (reply.kind === 'vector') unit?.task.finish(unit, reply.vector);
    this.#events.onIdle();
  }
}

/** One text of a task, as a thread processes it. */
export interface EmbeddingText {
  readonly task: EmbeddingTask;
  readonly index: number;
  readonly text: string;
  /** Number of threads that died while embedding it. */
  readonly deaths: number;
}

/** The texts of one call. The queue hands them out one at a time. */
export class EmbeddingTask {
  readonly #texts: readonly string[];
  readonly #vectors: Float32Array[];
  readonly #outcome = Promise.withResolvers<readonly Float32Array[]>();
  #next = 0;
  #missing: number;
  #settled = false;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#vectors = new Array(texts.length);
    this.#missing = texts.length;
    if (texts.length === 0) this.#resolve();
  }

  /** The vectors, in the order of the texts. */
  get outcome(): Promise<readonly Float32Array[]> {
    return this.#outcome.promise;
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** True if no text is left to hand out. */
  get exhausted(): boolean {
    return this.#settled || this.#next === this.#texts.length;
  }

  take(): EmbeddingText | undefined {
    const index = this.#next;
    const text = this.#texts[index];
    if (this.exhausted || text === undefined) return undefined;
    this.#next++;
    return { task: this, index, text, deaths: 0 };
  }

  finish(unit: EmbeddingText, vector: Float32Array): void {
    this.#vectors[unit.index] = vector;
    this.#missing--;
    if (this.#missing === 0) this.#resolve();
  }

  /** Rejects the outcome and drops the remaining texts; does nothing if the task is settled. */
  fail(reason: unknown): void {
    this.#settled = true;
    this.#outcome.reject(reason);
  }

  #resolve(): void {
    this.#settled = true;
    this.#outcome.resolve(this.#vectors);
  }
}
