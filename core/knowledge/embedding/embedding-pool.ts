import { runInBackground } from '../../base/async.ts';
import type { Logger } from '../../base/log.ts';
import { EmbeddingError, type EmbedPassagesOptions } from './embedder.ts';
import { EmbeddingTask, type EmbeddingText, EmbeddingWorker, type StartThread } from './embedding-worker.ts';

export interface EmbeddingPoolOptions {
  readonly startThread: StartThread;
  /** Maximum number of threads. They start one after the other while texts wait. */
  readonly size: number;
  /** Number of threads that stay while the pool is idle. */
  readonly spare: number;
  /** Idle time after which all but `spare` threads end. */
  readonly idleMilliseconds: number;
  readonly log: Pick<Logger, 'warn'>;
}

/** A text fails after this many threads died while embedding it. */
const MAX_DEATHS_PER_TEXT = 2;
/** Longer than a text or a model load takes on a busy machine. After it the process exits in any case. */
const MAX_EXIT_WAIT_MS = 10_000;

/** Embeds texts in threads, one text per thread at a time, and replaces threads that die. */
export class EmbeddingPool {
  readonly #options: EmbeddingPoolOptions;
  readonly #queue = new TaskQueue();
  readonly #workers = new Set<EmbeddingWorker>();
  /** Process exit interrupts threads at any point, and ONNX Runtime aborts the process if a run is interrupted. */
  readonly #waitForTexts = () => {
    for (const worker of this.#workers) worker.waitUntilIdle(MAX_EXIT_WAIT_MS);
  };
  #size: number;
  #retirement: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: EmbeddingPoolOptions) {
    this.#options = options;
    this.#size = options.size;
    process.on('exit', this.#waitForTexts);
  }

  /** Returns the vectors of the texts, in order. Rejects with an EmbeddingError or with the reason of the signal. */
  async embed(
    texts: readonly string[],
    { signal }: EmbedPassagesOptions = {},
  ): Promise<readonly Float32Array[]> {
    if (this.#closed) throw closedError();
    signal?.throwIfAborted();
    const task = new EmbeddingTask(texts);
    const abort = () => task.fail(signal?.reason);
    signal?.addEventListener('abort', abort);
    this.#queue.add(task);
    this.#dispatch();
    return task.outcome.finally(() => signal?.removeEventListener('abort', abort));
  }

  /** Ends the threads. Unfinished and later calls reject. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retirement);
    const workers = [...this.#workers];
    for (const { unit } of workers) unit?.task.fail(closedError());
    this.#queue.failAll(closedError());
    await Promise.all(workers.map((worker) => worker.end()));
    this.#workers.clear();
    process.off('exit', this.#waitForTexts);
  }

  #dispatch(): void {
    if (this.#closed) return;
    const workers = [...this.#workers];
    for (const worker of workers.filter((candidate) => candidate.idle)) {
      const unit = this.#queue.take();
      if (unit === undefined) {
        this.#scheduleRetirement();
        return;
      }
      worker.start(unit);
    }
    const loading = workers.some((worker) => !worker.loaded);
    if (!loading && workers.length < this.#size && !this.#queue.empty) this.#addWorker();
  }

  #addWorker(): void {
    const worker = new EmbeddingWorker(this.#options.startThread, {
      onIdle: () => this.#dispatch(),
      onDeath: (cause) => this.#replace(worker, cause),
    });
    this.#workers.add(worker);
  }

  #replace(worker: EmbeddingWorker, cause: unknown): void {
    this.#workers.delete(worker);
    if (worker.loaded) this.#options.log.warn({ err: cause }, 'embedding thread died');
    else this.#continueWithFewer(cause);
    if (worker.unit !== undefined) this.#retry(worker.unit, cause);
    this.#dispatch();
  }

  #retry(unit: EmbeddingText, cause: unknown): void {
    if (unit.deaths + 1 < MAX_DEATHS_PER_TEXT) {
      this.#queue.giveBack(unit);
      return;
    }
    const message = 'The embedding engine crashed twice on the same text. Shorten or remove the text.';
    unit.task.fail(new EmbeddingError(message, cause));
  }

  /** A thread failed to load its model. The pool shrinks to the loaded threads; without any, all texts fail. */
  #continueWithFewer(cause: unknown): void {
    if (this.#workers.size > 0) {
      this.#size = this.#workers.size;
      this.#options.log.warn({ err: cause, threads: this.#size }, 'embedding thread start failed');
    } else {
      const message = 'The embedding model cannot be loaded. Free memory or restart the process.';
      this.#queue.failAll(new EmbeddingError(message, cause));
    }
  }

  /** Ends threads that stay idle, to release their memory. */
  #scheduleRetirement(): void {
    clearTimeout(this.#retirement);
    this.#retirement = setTimeout(() => {
      const spare = [...this.#workers].filter((worker) => worker.idle).slice(this.#options.spare);
      for (const worker of spare) {
        this.#workers.delete(worker);
        runInBackground(worker.end(), (err) =>
          this.#options.log.warn({ err }, 'embedding thread stop failed'),
        );
      }
    }, this.#options.idleMilliseconds).unref();
  }
}

function closedError(): EmbeddingError {
  return new EmbeddingError('The embedder is closed: the process is shutting down.');
}

/** Queues tasks round-robin, text by text, so that a short task does not wait for a long one. */
export class TaskQueue {
  readonly #returned: EmbeddingText[] = [];
  readonly #tasks: EmbeddingTask[] = [];

  add(task: EmbeddingTask): void {
    this.#tasks.push(task);
  }

  /** Puts back a text whose thread died, ahead of all other texts. */
  giveBack(unit: EmbeddingText): void {
    this.#returned.push({ ...unit, deaths: unit.deaths + 1 });
  }

  get empty(): boolean {
    return this.#returned.every(({ task }) => task.settled) && this.#tasks.every((task) => task.exhausted);
  }

  take(): EmbeddingText | undefined {
    for (let unit = this.#returned.pop(); unit !== undefined; unit = this.#returned.pop()) {
      if (!unit.task.settled) return unit;
    }
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) {
      const unit = task.take();
      if (unit === undefined) continue;
      this.#tasks.push(task);
      return unit;
    }
    return undefined;
  }

  /** Fails every task with remaining texts. */
  failAll(reason: unknown): void {
    for (const { task } of this.#returned.splice(0)) task.fail(reason);
    for (const task of this.#tasks.splice(0)) task.fail(reason);
  }
}
