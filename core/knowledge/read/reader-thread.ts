import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DocumentError } from '../document-error.ts';
import { DocumentReaderError } from './document-reader-error.ts';
import type { ReadReply, ReadRequest, ReadResult } from './read-request.ts';
import { watchThread } from './watch-thread.ts';

export interface ThreadLimits {
  /** For one document, from the moment that the thread takes it up. */
  readonly timeoutMs: number;
  /** Of the thread's heap; what it keeps outside its heap (unpacked streams) may be as much again. */
  readonly maxOldGenerationMb: number;
}

const KEPT_BYTES = 128 * 2 ** 20;

/** One thread that reads one document at a time. It starts with the first, and anew after one that broke it. */
export class ReaderThread {
  readonly #limits: ThreadLimits;
  #worker: Promise<Worker> | null = null;

  constructor(limits: ThreadLimits) {
    this.#limits = limits;
  }

  /** Rejects with a DocumentError, a DocumentReaderError, or the reason of `signal`. */
  async read(request: ReadRequest, signal: AbortSignal): Promise<ReadResult> {
    signal.throwIfAborted();
    const worker = await this.#start();
    const watch = watchThread(worker, this.#limits);
    const stop = AbortSignal.any([watch.signal, signal]);
    worker.ref();
    try {
      const answered = once(worker, 'message', { signal: stop });
      worker.postMessage(request);
      const [reply]: ReadReply[] = await answered;
      await this.#giveBackMemory(worker);
      return resultOf(reply);
    } catch (error) {
      if (error instanceof DocumentError) throw error;
      await this.close();
      if (isOutOfMemory(error)) throw new DocumentError('out_of_memory', undefined, { cause: error });
      stop.throwIfAborted();
      throw new DocumentError('reading_failed', undefined, { cause: error });
    } finally {
      watch.end();
      worker.unref();
    }
  }

  async close(): Promise<void> {
    const starting = this.#worker;
    this.#worker = null;
    // Whoever started a thread hears that it failed to; there is nothing to end then.
    const worker = await starting?.catch(() => null);
    await worker?.terminate();
  }

  /** A thread keeps the heap that its largest document needed; the next document can have a fresh one. */
  async #giveBackMemory(worker: Worker): Promise<void> {
    const { total_heap_size, external_memory } = await worker.getHeapStatistics();
    if (total_heap_size + external_memory > KEPT_BYTES) await this.close();
  }

  async #start(): Promise<Worker> {
    if (this.#worker !== null) return this.#worker;
    const starting = startWorker(this.#limits);
    this.#worker = starting;
    const forget = (): void => {
      if (this.#worker === starting) this.#worker = null;
    };
    try {
      const worker = await starting;
      return worker.once('exit', forget);
    } catch (cause) {
      forget();
      throw new DocumentReaderError('The thread that reads documents did not start.', { cause });
    }
  }
}

async function startWorker({ maxOldGenerationMb }: ThreadLimits): Promise<Worker> {
  const worker = new Worker(new URL('./read-worker.ts', import.meta.url), {
    name: 'document-reader',
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxOldGenerationMb },
  });
  // Whoever waits for the thread hears of its errors by itself; without a listener one between two documents,
  // when nobody waits, would end the process.
  worker.on('error', () => undefined);
  await once(worker, 'message');
  return worker;
}

function resultOf(reply: ReadReply | undefined): ReadResult {
  if (reply?.kind === 'read') return reply.result;
  if (reply?.kind === 'refused') throw new DocumentError(reply.code, reply.what, { cause: reply.cause });
  throw new DocumentError('reading_failed');
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
