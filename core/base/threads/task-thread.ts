import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ThreadError } from '../../contract/threads.ts';
import { runInBackground } from '../async.ts';

export interface ThreadOptions {
  /** The module that the thread runs. */
  readonly worker: URL;
  readonly name: string;
  /** Heap limit in MiB. Memory outside the heap (unpacked streams) has the same limit. */
  readonly maxHeapMb: number;
  /** Time without a task after which the thread ends; a minute by default. */
  readonly idleMs?: number;
}

interface Limits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const MEBIBYTE = 2 ** 20;
const NO_MEMORY = { used_heap_size: 0, external_memory: 0 };
const MAX_KEPT_BYTES = 128 * MEBIBYTE;
const CHECK_INTERVAL_MS = 50;
/** An idle thread holds some 30 MB, and a new one starts within half a second. */
const IDLE_MS = 60_000;
/**
 * V8 can end the whole process if a step allocates more than 16 MB beyond a thread's heap limit. V8's limit is therefore
 * this many times the memory that a task may use; `enforceThreadLimits` ends the thread before.
 */
const HEAP_HEADROOM_FACTOR = 3;
/** A small young generation makes the heap grow in small steps. */
const YOUNG_HEAP_MB = 16;

/** A thread that runs one task at a time. It starts with the first task, and anew after a failed one or a pause. */
export class TaskThread<Input, Output> {
  readonly #options: ThreadOptions;
  #worker: Promise<Worker> | null = null;
  #retirement: NodeJS.Timeout | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Runs a task. Rejects with a ThreadError or the reason of `signal`. */
  async run(input: Input, { timeoutMs, signal }: Limits): Promise<Output> {
    signal.throwIfAborted();
    clearTimeout(this.#retirement);
    const worker = await this.#start();
    const watch = enforceThreadLimits(worker, { timeoutMs, maxHeapMb: this.#options.maxHeapMb });
    const stop = AbortSignal.any([watch.signal, signal]);
    worker.ref();
    try {
      const reply = once(worker, 'message', { signal: stop });
      worker.postMessage(input);
      const [output]: Output[] = await reply;
      await this.#releaseMemory(worker);
      if (output === undefined) throw new ThreadError('crashed', 'The thread returned no result.');
      return output;
    } catch (error) {
      await this.close();
      if (isOutOfMemory(error)) throw outOfMemory(error);
      stop.throwIfAborted();
      throw new ThreadError('crashed', 'The thread ended unexpectedly.', { cause: error });
    } finally {
      watch.end();
      worker.unref();
      this.#scheduleRetirement();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#retirement);
    const starting = this.#worker;
    this.#worker = null;
    // A failed start is reported to the caller that started the thread; there is nothing to end.
    const worker = await starting?.catch(() => null);
    await worker?.terminate();
  }

  /** Ends the thread if no task comes, to release its memory. */
  #scheduleRetirement(): void {
    clearTimeout(this.#retirement);
    this.#retirement = setTimeout(() => {
      runInBackground(this.close(), () => {
        // The worker's exit event is handled anyway.
      });
    }, this.#options.idleMs ?? IDLE_MS).unref();
  }

  /** Ends a thread with a large heap: it would keep the heap of its largest task. The next task gets a fresh thread. */
  async #releaseMemory(worker: Worker): Promise<void> {
    const { total_heap_size, external_memory } = await worker.getHeapStatistics();
    if (total_heap_size + external_memory > MAX_KEPT_BYTES) await this.close();
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
    resourceLimits: {
      maxOldGenerationSizeMb: HEAP_HEADROOM_FACTOR * maxHeapMb,
      maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
    },
  });
  // A running task gets errors through `once`; without this listener an error between tasks would end the process.
  worker.on('error', () => undefined);
  await once(worker, 'message');
  return worker;
}

/** Monitors a thread's time, its memory inside and outside the heap, and its exit. */
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
    const { used_heap_size, external_memory } = await readMemory(worker);
    if (Math.max(used_heap_size, external_memory) > maxHeapMb * MEBIBYTE) stop.abort(outOfMemory());
  };
  const onFailure = (cause: unknown) =>
    stop.abort(new ThreadError('crashed', 'The memory of the thread could not be read.', { cause }));
  const interval = setInterval(() => runInBackground(checkMemory(), onFailure), CHECK_INTERVAL_MS);
  return {
    signal: stop.signal,
    end: () => {
      clearTimeout(timer);
      clearInterval(interval);
      worker.off('exit', onExit);
    },
  };
}

async function readMemory(worker: Worker) {
  try {
    return await worker.getHeapStatistics();
  } catch (error) {
    // The thread ended meanwhile; its exit event reports that.
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING')
      return NO_MEMORY;
    throw error;
  }
}

function outOfMemory(cause?: unknown): ThreadError {
  return new ThreadError('out_of_memory', 'The task exceeded the memory limit of a thread.', { cause });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
