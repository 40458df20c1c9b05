import type { Worker } from 'node:worker_threads';
import { runInBackground } from '../../async.ts';
import { DocumentError } from '../document-error.ts';
import type { ThreadLimits } from './reader-thread.ts';

const INTERVAL_MS = 100;
const MEBIBYTE = 2 ** 20;

interface Watch {
  /** Aborts with a DocumentError when a thread that reads has to be stopped. */
  readonly signal: AbortSignal;
  end(): void;
}

/** Watches what the heap limit of a thread does not bound: its time, its memory outside the heap, and its own exit. */
export function watchThread(worker: Worker, { timeoutMs, maxOldGenerationMb }: ThreadLimits): Watch {
  const stop = new AbortController();
  const timer = setTimeout(() => {
    stop.abort(new DocumentError('reading_timed_out', `${(timeoutMs / 1000).toLocaleString('en')} s`));
  }, timeoutMs);
  const onExit = (): void => stop.abort(new DocumentError('reading_failed'));
  worker.once('exit', onExit);
  const checkMemory = async () => {
    const used = await externalBytes(worker);
    if (used > maxOldGenerationMb * MEBIBYTE) stop.abort(new DocumentError('out_of_memory'));
  };
  const onFailure = (cause: unknown) => stop.abort(new DocumentError('reading_failed', undefined, { cause }));
  const interval = setInterval(() => runInBackground(checkMemory(), onFailure), INTERVAL_MS);
  return {
    signal: stop.signal,
    end: () => {
      clearTimeout(timer);
      clearInterval(interval);
      worker.off('exit', onExit);
    },
  };
}

async function externalBytes(worker: Worker): Promise<number> {
  try {
    return (await worker.getHeapStatistics()).external_memory;
  } catch (error) {
    // The thread ended in the meantime: its exit is reported on its own.
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING') return 0;
    throw error;
  }
}
