import { runInBackground } from '../../base/async.ts';
import type { Logger } from '../../base/log.ts';
import { EmbeddingError, type EmbedPassagesOptions, type ReadPairs } from './embedder.ts';
import { EmbeddingTask, EmbeddingWorker, type StartThread, type WorkUnit } from './embedding-worker.ts';
import type { ThreadResult, ThreadWork } from './thread-messages.ts';

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

/** A text or a pair fails after this many threads died while they worked on it. */
const MAX_DEATHS_PER_UNIT = 2;
/** Longer than a text or a model load takes on a busy machine. After this time the process exits in any case. */
const MAX_EXIT_WAIT_MS = 10_000;

/** Embeds texts and reads pairs in threads, one per thread at a time, and replaces threads that die. */
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
    options: EmbedPassagesOptions = {},
  ): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = new Array(texts.length);
    const works = texts.map((text) => ({ kind: 'text' as const, text }));
    await this.#run(works, options, (index, result) => {
      if (result.kind === 'vector') vectors[index] = result.vector;
    });
    return vectors;
  }

  /** Reads pairs, after all waiting texts. Rejects as `embed` does. */
  readonly read: ReadPairs = async (pairs, onReading, options = {}) => {
    const works = pairs.map((pair) => ({ kind: 'pair' as const, pair }));
    await this.#run(works, options, (index, result) => {
      if (result.kind === 'reading') onReading(index, result.reading);
    });
  };

  /** Whether texts or pairs wait for a thread. */
  get busy(): boolean {
    return !this.#queue.empty;
  }

  async #run(
    works: readonly ThreadWork[],
    { signal }: EmbedPassagesOptions,
    onResult: (index: number, result: ThreadResult) => void,
  ): Promise<void> {
    if (this.#closed) throw closedError();
    signal?.throwIfAborted();
    const task = new EmbeddingTask(works, onResult);
    const abort = () => task.fail(signal?.reason);
    signal?.addEventListener('abort', abort);
    this.#queue.add(task);
    this.#dispatch();
    await task.outcome.finally(() => signal?.removeEventListener('abort', abort));
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

  #retry(unit: WorkUnit, cause: unknown): void {
    if (unit.deaths + 1 < MAX_DEATHS_PER_UNIT) {
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

/**
 * Queues tasks round-robin, unit by unit, so that a short task does not wait for a long one. Texts come before pairs: a
 * question waits for its vector, but an answer can do without a reading.
 */
export class TaskQueue {
  readonly #returned: WorkUnit[] = [];
  readonly #tasks: Readonly<Record<ThreadWork['kind'], EmbeddingTask[]>> = { text: [], pair: [] };

  add(task: EmbeddingTask): void {
    this.#tasks[task.kind].push(task);
  }

  /** Puts back a unit whose thread died, ahead of all others. */
  giveBack(unit: WorkUnit): void {
    this.#returned.push({ ...unit, deaths: unit.deaths + 1 });
  }

  get empty(): boolean {
    const isDone = (tasks: readonly EmbeddingTask[]) => tasks.every((task) => task.exhausted);
    const { text, pair } = this.#tasks;
    return this.#returned.every(({ task }) => task.settled) && isDone(text) && isDone(pair);
  }

  take(): WorkUnit | undefined {
    for (let unit = this.#returned.pop(); unit !== undefined; unit = this.#returned.pop()) {
      if (!unit.task.settled) return unit;
    }
    return takeInTurn(this.#tasks.text) ?? takeInTurn(this.#tasks.pair);
  }

  /** Fails every task with remaining units. */
  failAll(reason: unknown): void {
    for (const { task } of this.#returned.splice(0)) task.fail(reason);
    for (const tasks of [this.#tasks.text, this.#tasks.pair]) {
      for (const task of tasks.splice(0)) task.fail(reason);
    }
  }
}

function takeInTurn(tasks: EmbeddingTask[]): WorkUnit | undefined {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    const unit = task.take();
    if (unit === undefined) continue;
    tasks.push(task);
    return unit;
  }
  return undefined;
}
