import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { runInBackground } from '../async.ts';
import { ThreadError } from '../contract/threads.ts';

export interface ThreadOptions {
  /** The module that it runs. */
  readonly worker: URL;
  readonly name: string;
  /** Of its heap; the memory outside its heap (unpacked streams) may be as large again. */
  readonly maxHeapMb: number;
}

interface Limits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const MEBIBYTE = 2 ** 20;
const nothing = { used_heap_size: 0, external_memory: 0 };
const KEPT_BYTES = 128 * MEBIBYTE;
const WATCH_MS = 50;
/**
 * At the heap limit of a thread V8 can end the whole process, if one step allocates more than 16 MB beyond it. So the limit is
 * far above what a task may use, and the watch ends the thread before.
 */
const HEADROOM = 3;
/** A small young generation keeps the steps small in which the heap grows. */
const YOUNG_HEAP_MB = 16;

/** One thread that does one task at a time. It starts with the first task, and anew after one that broke it. */
export class TaskThread<Input, Output> {
  readonly #options: ThreadOptions;
  #worker: Promise<Worker> | null = null;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Rejects with a ThreadError, or the reason of `signal`. */
  async run(input: Input, { timeoutMs, signal }: Limits): Promise<Output> {
    signal.throwIfAborted();
    const worker = await this.#start();
    const watch = enforceThreadLimits(worker, { timeoutMs, maxHeapMb: this.#options.maxHeapMb });
    const stop = AbortSignal.any([watch.signal, signal]);
    worker.ref();
    try {
      const answered = once(worker, 'message', { signal: stop });
      worker.postMessage(input);
      const [output]: Output[] = await answered;
      await this.#giveBackMemory(worker);
      if (output === undefined) throw new ThreadError('crashed', 'The thread answered nothing.');
      return output;
    } catch (error) {
      await this.close();
      if (isOutOfMemory(error)) throw outOfMemory(error);
      stop.throwIfAborted();
      throw new ThreadError('crashed', 'The thread ended unexpectedly.', { cause: error });
    } finally {
      watch.end();
      worker.unref();
    }
  }

  async close(): Promise<void> {
    const starting = this.#worker;
    this.#worker = null;
    // The caller that started the thread gets the error of a failed start; then nothing is left to end.
    const worker = await starting?.catch(() => null);
    await worker?.terminate();
  }

  /** A thread keeps the heap that its largest task needed; the next task gets a fresh one. */
  async #giveBackMemory(worker: Worker): Promise<void> {
    const { total_heap_size, external_memory } = await worker.getHeapStatistics();
    if (total_heap_size + external_memory > KEPT_BYTES) await this.close();
  }

  async #start(): Promise<Worker> {
    if (this.#worker !== null) return this.#worker;
    const starting = startWorker(this.#options);
    this.#worker = starting;
    const forget = (): void => {
      if (this.#worker === starting) this.#worker = null;
    };
    try {
      const worker = await starting;
      return worker.once('exit', forget);
    } catch (cause) {
      forget();
      throw new ThreadError('unavailable', `The ${this.#options.name} thread did not start.`, { cause });
    }
  }
}

async function startWorker({ worker: module, name, maxHeapMb }: ThreadOptions): Promise<Worker> {
  const worker = new Worker(module, {
    name,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEADROOM * maxHeapMb, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
  // A task that waits hears of errors by itself; without a listener an error between two tasks would end the process.
  worker.on('error', () => undefined);
  await once(worker, 'message');
  return worker;
}

/** Watches a thread: its time, its memory in and outside the heap, and its exit. */
function enforceThreadLimits(
  worker: Worker,
  { timeoutMs, maxHeapMb }: { readonly timeoutMs: number; readonly maxHeapMb: number },
): { readonly signal: AbortSignal; readonly end: () => void } {
  const stop = new AbortController();
  const timer = setTimeout(() => {
    stop.abort(new ThreadError('timed_out', `The task took longer than ${timeoutMs} ms.`));
  }, timeoutMs);
  const onExit = (): void => stop.abort(new ThreadError('crashed', 'The thread ended unexpectedly.'));
  worker.once('exit', onExit);
  const checkMemory = async () => {
    const { used_heap_size, external_memory } = await memoryOf(worker);
    if (Math.max(used_heap_size, external_memory) > maxHeapMb * MEBIBYTE) stop.abort(outOfMemory());
  };
  const onFailure = (cause: unknown) =>
    stop.abort(new ThreadError('crashed', 'The memory of the thread could not be read.', { cause }));
  const interval = setInterval(() => runInBackground(checkMemory(), onFailure), WATCH_MS);
  return {
    signal: stop.signal,
    end: () => {
      clearTimeout(timer);
      clearInterval(interval);
      worker.off('exit', onExit);
    },
  };
}

async function memoryOf(worker: Worker) {
  try {
    return await worker.getHeapStatistics();
  } catch (error) {
    // The thread ended meanwhile: its exit is reported on its own.
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING') return nothing;
    throw error;
  }
}

function outOfMemory(cause?: unknown): ThreadError {
  return new ThreadError('out_of_memory', 'The task took more memory than a thread may use.', { cause });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
