import { ThreadError, type ThreadTask } from '../contract/threads.ts';
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
 * Threads for work that strangers can make expensive. Fair: one owner never gets the last thread of several, and a
 * thread that becomes free goes to the owner with the fewest running tasks. Threads do not keep the process alive.
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

  /** Rejects with a ThreadError, or the reason of `signal`. */
  async run(input: Input, { owner, timeoutMs, signal }: OwnedTask): Promise<Output> {
    const stop = AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]);
    const thread = await this.#acquire(owner, stop);
    try {
      return await thread.run(input, { timeoutMs, signal: stop });
    } finally {
      this.#release(owner, thread);
    }
  }

  /** Running, waiting and later tasks reject as `unavailable`. */
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
    const left = this.#runningOf(owner) - 1;
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
      this.#running.set(chosen.owner, this.#runningOf(chosen.owner) + 1);
      chosen.begin(thread);
    }
  }

  /** The first task of the owner with the fewest running ones; undefined where each has as many as it may. */
  #next(): Waiting<TaskThread<Input, Output>> | undefined {
    if (this.#idle.length === 0) return undefined;
    const most = Math.max(1, this.#threads.length - 1);
    const allowed = this.#waiting.filter(({ owner }) => this.#runningOf(owner) < most);
    return allowed.toSorted((one, other) => this.#runningOf(one.owner) - this.#runningOf(other.owner))[0];
  }

  #runningOf(owner: string): number {
    return this.#running.get(owner) ?? 0;
  }
}

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
