import type { Worker } from 'node:worker_threads';
import { BUSY, type EmbeddingReply, type EmbeddingRequest } from './thread-messages.ts';

/** Starts a thread that speaks the messages of thread-messages.ts. */
export type StartThread = (activity: Int32Array<SharedArrayBuffer>) => Worker;

interface EmbeddingWorkerEvents {
  /** The worker can take a text: it has loaded its model or finished a text. */
  onIdle(): void;
  /** The thread has ended without being told to. */
  onDeath(cause: unknown): void;
}

/** One embedding thread and the text that it is busy with. It keeps the process alive only while it is busy. */
export class EmbeddingWorker {
  readonly #activity = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(BUSY);
  readonly #thread: Worker;
  readonly #events: EmbeddingWorkerEvents;
  #loaded = false;
  #unit: EmbeddingText | undefined;
  #ending = false;
  #fault: unknown;
  readonly #exit = Promise.withResolvers<void>();

  constructor(startThread: StartThread, events: EmbeddingWorkerEvents) {
    this.#events = events;
    this.#thread = startThread(this.#activity);
    this.#thread.on('message', (reply: EmbeddingReply) => this.#hear(reply));
    this.#thread.on('error', (error) => {
      this.#fault = error;
    });
    this.#thread.on('exit', () => {
      this.#exit.resolve();
      if (!this.#ending) events.onDeath(this.#fault);
    });
  }

  /** Whether the model has been loaded, ever. */
  get loaded(): boolean {
    return this.#loaded;
  }

  get idle(): boolean {
    return this.#loaded && this.#unit === undefined;
  }

  /** The text at work. */
  get unit(): EmbeddingText | undefined {
    return this.#unit;
  }

  start(unit: EmbeddingText): void {
    this.#unit = unit;
    Atomics.store(this.#activity, 0, BUSY);
    this.#thread.ref();
    this.#send({ kind: 'text', text: unit.text });
  }

  /** Ends the thread, after the text at work: ONNX Runtime aborts the process when it is cut off in a run. */
  async end(): Promise<void> {
    this.#ending = true;
    this.#thread.ref();
    this.#send({ kind: 'end' });
    await this.#exit.promise;
  }

  /** Blocks until the thread is between two texts, for at most `milliseconds`. */
  waitUntilIdle(milliseconds: number): void {
    Atomics.wait(this.#activity, 0, BUSY, milliseconds);
  }

  #send(request: EmbeddingRequest): void {
    this.#thread.postMessage(request);
  }

  #hear(reply: EmbeddingReply): void {
    const unit = this.#unit;
    this.#unit = undefined;
    this.#loaded = true;
    if (!this.#ending) this.#thread.unref();
    if (reply.kind === 'vector') unit?.task.finish(unit, reply.vector);
    this.#events.onIdle();
  }
}

/** One text of a task, on its way through a thread. */
export interface EmbeddingText {
  readonly task: EmbeddingTask;
  readonly index: number;
  readonly text: string;
  /** How many threads have died while they had it. */
  readonly deaths: number;
}

/** Texts that become vectors together. They are handed out one at a time. */
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

  /** Whether there is nothing left to hand out. */
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

  /** Rejects the outcome and drops the texts that are left; does nothing when the task is settled. */
  fail(reason: unknown): void {
    this.#settled = true;
    this.#outcome.reject(reason);
  }

  #resolve(): void {
    this.#settled = true;
    this.#outcome.resolve(this.#vectors);
  }
}
