import { ThreadError, type ThreadTask } from '../contract/threads.ts';
import type { OwnedTask } from './thread-pool.ts';
import { ThreadPool } from './thread-pool.ts';

/** Threads for each module, so that two owners do not wait for each other. */
const threads = 2;
const maxHeapMb = 512;

/** Threads that connectors run their own modules in; each module has its own, started when they are first needed. */
export class ConnectorThreads {
  readonly #pools = new Map<string, ThreadPool<unknown, unknown>>();
  #isClosed = false;

  /** Rejects with a ThreadError, or the reason of `signal`. */
  async run(
    { worker, input, timeoutMs }: ThreadTask,
    { owner, signal }: Omit<OwnedTask, 'timeoutMs'>,
  ): Promise<unknown> {
    if (this.#isClosed) throw new ThreadError('unavailable', 'The threads were closed.');
    return this.#poolOf(worker).run(input, { owner, timeoutMs, signal });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  #poolOf(worker: URL): ThreadPool<unknown, unknown> {
    const known = this.#pools.get(worker.href);
    if (known !== undefined) return known;
    const pool = new ThreadPool<unknown, unknown>({ worker, name: 'connector', threads, maxHeapMb });
    this.#pools.set(worker.href, pool);
    return pool;
  }
}
