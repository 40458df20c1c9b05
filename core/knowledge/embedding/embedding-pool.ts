import { runInBackground } from '../../async.ts';
import type { Logger } from '../../log.ts';
import { EmbeddingError, type EmbedPassagesOptions } from './embedder.ts';
import { EmbeddingTask, type EmbeddingText, EmbeddingWorker, type StartThread } from './embedding-worker.ts';

export interface EmbeddingPoolOptions {
  readonly startThread: StartThread;
  /** The most threads at a time. They are started one after the other while texts wait. */
  readonly size: number;
  /** How many threads stay when there is nothing to do. */
  readonly spare: number;
  /** How long there is nothing to do before the threads that are not spare are ended. */
  readonly idleMilliseconds: number;
  readonly log: Pick<Logger, 'warn'>;
}

/** How many threads may die with a text before the text is given up. */
const DEATHS_PER_TEXT = 2;
/** Longer than a text or a model takes on a busy machine: after it the process exits all the same. */
const EXIT_PATIENCE_MILLISECONDS = 10_000;

/** Embeds texts in threads, one text a thread at a time, and replaces threads that die. */
export class EmbeddingPool {
  readonly #options: EmbeddingPoolOptions;
  readonly #queue = new TaskQueue();
  readonly #workers = new Set<EmbeddingWorker>();
  /** Exit ends the threads wherever they are, and ONNX Runtime aborts the process when it is cut off in a run. */
  readonly #finishTexts = () => {
    for (const worker of this.#workers) worker.waitUntilIdle(EXIT_PATIENCE_MILLISECONDS);
  };
  #size: number;
  #retirement: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: EmbeddingPoolOptions) {
    this.#options = options;
    this.#size = options.size;
    process.on('exit', this.#finishTexts);
  }

  /** The vectors of the texts, in order. Rejects with an EmbeddingError, or with the reason of the signal. */
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

  /** Ends the threads. What has not been embedded rejects, and so does every later call. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retirement);
    const workers = [...this.#workers];
    for (const { unit } of workers) unit?.task.fail(closedError());
    this.#queue.failAll(closedError());
    await Promise.all(workers.map((worker) => worker.end()));
    this.#workers.clear();
    process.off('exit', this.#finishTexts);
  }

  #dispatch(): void {
    if (this.#closed) return;
    const workers = [...this.#workers];
    for (const worker of workers.filter((candidate) => candidate.idle)) {
      const unit = this.#queue.take();
      if (unit === undefined) {
        this.#retireLater();
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
    if (worker.loaded)
      this.#options.log.warn({ err: cause }, 'An embedding thread has died: another starts.');
    else this.#doWithout(cause);
    if (worker.unit !== undefined) this.#retry(worker.unit, cause);
    this.#dispatch();
  }

  #retry(unit: EmbeddingText, cause: unknown): void {
    if (unit.deaths + 1 < DEATHS_PER_TEXT) {
      this.#queue.giveBack(unit);
      return;
    }
    const message = 'The embedding engine died twice of the same text: shorten the text or leave it out.';
    unit.task.fail(new EmbeddingError(message, cause));
  }

  /** A thread could not load its model: those that could go on; with none left, nothing can be embedded now. */
  #doWithout(cause: unknown): void {
    if (this.#workers.size > 0) {
      this.#size = this.#workers.size;
      this.#options.log.warn(
        { err: cause, threads: this.#size },
        'An embedding thread cannot start: fewer must do.',
      );
    } else {
      const message = 'The embedding model cannot be loaded: free memory, or restart the process.';
      this.#queue.failAll(new EmbeddingError(message, cause));
    }
  }

  /** Gives back the memory of threads that have nothing to do for a while. */
  #retireLater(): void {
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

/** Tasks with texts left to embed. They take turns, text by text, so that a short one is not stuck behind a long. */
export class TaskQueue {
  readonly #returned: EmbeddingText[] = [];
  readonly #tasks: EmbeddingTask[] = [];

  add(task: EmbeddingTask): void {
    this.#tasks.push(task);
  }

  /** Puts back a text whose thread died; it is taken again before anything else. */
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

  /** Fails every task that has texts left. */
  failAll(reason: unknown): void {
    for (const { task } of this.#returned.splice(0)) task.fail(reason);
    for (const task of this.#tasks.splice(0)) task.fail(reason);
  }
}
