import { whenSettled, withTimeout } from '../base/async.ts';

/** Returns the result of one item of a batch. `index` is its position in the batch. */
type ResultFor<Item, Result> = (item: Item, index: number) => Result;

interface Options<Key, Item, Result> {
  /** Returns the same name for equal keys. */
  readonly nameOf: (key: Key) => string;
  /** Runs a batch. Batches of a key run one by one, unless `thenAlone` is `at once` and a batch is slow. */
  readonly run: (key: Key, items: readonly Item[]) => Promise<ResultFor<Item, Result>>;
  /**
   * After a failure, each item of the batch is tried alone, because the others may be valid: `in order` or `at
   * once`. With `at once`, later items wait for neither these retries nor slow batches.
   */
  readonly thenAlone?: 'in order' | 'at once';
  /** Waits one event-loop turn to collect a batch. */
  readonly gathers?: boolean;
  /** Maximum size of a batch. Unlimited if absent. */
  readonly most?: (key: Key) => number;
}

const SLOW_BATCH_MS = 1_000;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<Result>;
}

/**
 * Collects the items for a key while a batch of that key is running, and runs them as the next batch. A single
 * item runs at once.
 */
export class MicroBatcher<Key, Item, Result> {
  readonly #options: Options<Key, Item, Result>;
  /** Waiting items by key name, for keys with a running batch. */
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>();

  constructor(options: Options<Key, Item, Result>) {
    this.#options = options;
  }

  add(key: Key, item: Item): Promise<Result> {
    const waiting: Waiting<Item, Result> = { item, done: Promise.withResolvers() };
    const name = this.#options.nameOf(key);
    const queue = this.#waiting.get(name);
    if (queue !== undefined) queue.push(waiting);
    else {
      this.#waiting.set(name, [waiting]);
      this.#start(key);
    }
    return waiting.done.promise;
  }

  #start(key: Key): void {
    const work = () => {
      // Failures are passed on to the callers.
      whenSettled(this.#runBatches(key), () => {});
    };
    if (this.#options.gathers) setImmediate(work);
    else work();
  }

  async #runBatches(key: Key): Promise<void> {
    const name = this.#options.nameOf(key);
    const most = this.#options.most?.(key) ?? Number.POSITIVE_INFINITY;
    const next = () => this.#waiting.get(name)?.splice(0, most) ?? [];
    for (let batch = next(); batch.length > 0; batch = next()) {
      const done = this.#runBatch(key, batch);
      await (this.#options.thenAlone === 'at once' ? withTimeout(SLOW_BATCH_MS, done) : done);
    }
    this.#waiting.delete(name);
  }

  async #runBatch(key: Key, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const { run, thenAlone } = this.#options;
    try {
      const items = batch.map(({ item }) => item);
      const resultFor = await run(key, items);
      for (const [index, { item, done }] of batch.entries()) done.resolve(resultFor(item, index));
    } catch (error) {
      if (thenAlone === undefined || batch.length === 1) for (const { done } of batch) done.reject(error);
      else {
        for (const one of batch) {
          const retried = this.#runBatch(key, [one]);
          if (thenAlone === 'in order') await retried;
        }
      }
    }
  }
}
