import { ThreadError, type ThreadTask } from '../../contract/threads.ts';
import { TaskThread, type ThreadOptions } from './task-thread.ts';

interface PoolOptions extends ThreadOptions {
  readonly threads: number;
}

interface OwnedTask {
  /** The workspace or account that the task is for. */
  readonly owner: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface Waiting<Thread> {
  readonly owner: string;
  readonly begin: (thread: Thread) => void;
}

/**
 * Runs work that untrusted input can make expensive. Fair: one owner never gets the last thread of several, and a free
 * thread goes to the owner with the fewest running tasks. Threads do not keep the process alive.
 */
export class ThreadPool<Input, Output> {
  readonly #name: string;
  readonly #threads: readonly TaskThread<Input, Output>[];
  readonly #idle: TaskThread<Input, Output>[];
  readonly #running = new Map<string, number>();
  readonly #closing = new AbortController();
  #waiting: readonly Waiting<TaskThread<Input, Output>>[] = [];

  constructor({ threads, ...options }: PoolOptions) {
    this.#name = options.name;
    this.#threads = Array.from({ length: threads }, () => new TaskThread(options));
    this.#idle = [...this.#threads];
  }

  /** Runs a task. Rejects with a ThreadError or the reason of `signal`. */
  async run(input: Input, { owner, timeoutMs, signal }: OwnedTask): Promise<Output> {
    const stop = AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]);
    const thread = await this.#acquire(owner, stop);
    try {
      return await thread.run(input, { timeoutMs, signal: stop });
    } finally {
      this.#release(owner, thread);
    }
  }

  /** Ends the threads. Running, waiting and later tasks reject with `unavailable`. */
  async close(): Promise<void> {
    this.#closing.abort(new ThreadError('unavailable', `The ${this.#name} threads were closed.`));
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #acquire(owner: string, stop: AbortSignal): Promise<TaskThread<Input, Output>> {
    stop.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<TaskThread<Input, Output>>();
    const leave = (): void => {
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
      reject(stop.reason);
    };
    const waiting: Waiting<TaskThread<Input, Output>> = {
      owner,
      begin: (thread) => {
        stop.removeEventListener('abort', leave);
        resolve(thread);
      },
    };
    stop.addEventListener('abort', leave, { once: true });
    this.#waiting = [...this.#waiting, waiting];
    this.#assign();
    return promise;
  }

  #release(owner: string, thread: TaskThread<Input, Output>): void {
    const left = this.#countRunning(owner) - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
    this.#idle.push(thread);
    this.#assign();
  }

  #assign(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const thread = this.#idle.pop();
      if (thread === undefined) return;
      const chosen = next;
      this.#waiting = this.#waiting.filter((one) => one !== chosen);
      this.#running.set(chosen.owner, this.#countRunning(chosen.owner) + 1);
      chosen.begin(thread);
    }
  }

  /** Returns the first task of the owner with the fewest running tasks; undefined if every owner is at its limit. */
  #next(): Waiting<TaskThread<Input, Output>> | undefined {
    if (this.#idle.length === 0) return undefined;
    const maxPerOwner = Math.max(1, this.#threads.length - 1);
    const allowed = this.#waiting.filter(({ owner }) => this.#countRunning(owner) < maxPerOwner);
    return allowed.toSorted(
      (one, other) => this.#countRunning(one.owner) - this.#countRunning(other.owner),
    )[0];
  }

  #countRunning(owner: string): number {
    return this.#running.get(owner) ?? 0;
  }
}

/** Threads per module: two, so that two owners do not wait for each other. */
const THREADS_PER_MODULE = 2;
const MAX_HEAP_MB = 512;

/** Runs modules of connectors and sources in threads. Each module has its own pool, created with its first task. */
export class ConnectorThreads {
  readonly #pools = new Map<string, ThreadPool<unknown, unknown>>();
  #isClosed = false;

  /** Runs a task. Rejects with a ThreadError or the reason of `signal`. */
  async run(
    { worker, input, timeoutMs }: ThreadTask,
    { owner, signal }: Omit<OwnedTask, 'timeoutMs'>,
  ): Promise<unknown> {
    if (this.#isClosed) throw new ThreadError('unavailable', 'The threads were closed.');
    return this.#findPool(worker).run(input, { owner, timeoutMs, signal });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  #findPool(worker: URL): ThreadPool<unknown, unknown> {
    const existing = this.#pools.get(worker.href);
    if (existing !== undefined) return existing;
    const pool = new ThreadPool<unknown, unknown>({
      ...{ worker, name: 'connector' },
      ...{ threads: THREADS_PER_MODULE, maxHeapMb: MAX_HEAP_MB },
    });
    this.#pools.set(worker.href, pool);
    return pool;
  }
}
