import { setImmediate } from 'node:timers/promises';

interface Options {
  /** So many at once, those that wait for their turn included. */
  readonly concurrency: number;
  readonly run: (payload: unknown) => Promise<void>;
  /** Hears of a job that failed: it is to be tried again by others. */
  readonly failed: (id: string, payload: unknown, error: unknown) => void;
}

/** Does jobs in the process that they come up in, without the way through the queue, for as long as there is room. */
export class NearWorker {
  readonly #options: Options;
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  get running(): number {
    return this.#running.size;
  }

  /** False where there is no room for it. */
  take(id: string, payload: unknown): boolean {
    if (this.#closed || this.running >= this.#options.concurrency) return false;
    const doing = this.#do(id, payload).finally(() => this.#running.delete(doing));
    this.#running.add(doing);
    return true;
  }

  /** Takes nothing more, and resolves when what runs is done. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#running);
  }

  async #do(id: string, payload: unknown): Promise<void> {
    // Whoever added it has something to do first, such as to thank for it.
    await setImmediate();
    try {
      await this.#options.run(payload);
    } catch (error) {
      this.#options.failed(id, payload, error);
    }
  }
}
