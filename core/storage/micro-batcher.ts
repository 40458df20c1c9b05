import { whenSettled, withTimeout } from '../async.ts';

/** What each of those who asked together gets; `index` is his place among them. */
type ResultFor<Item, Result> = (item: Item, index: number) => Result;

interface Options<Key, Item, Result> {
  /** The same for keys that mean the same. */
  readonly nameOf: (key: Key) => string;
  /** Not called again for a key before it has settled, unless those who come later wait for nobody. */
  readonly run: (key: Key, items: readonly Item[]) => Promise<ResultFor<Item, Result>>;
  /**
   * After a failure each is tried alone, as what is wrong with one is no fault of the others: `in order`, or `at once`.
   * Who comes later waits then neither for that nor for what takes long.
   */
  readonly thenAlone?: 'in order' | 'at once';
  /** What comes alone waits for what comes in the same turn of the event loop. */
  readonly gathers?: boolean;
  /** So many go in one; any number when absent. */
  readonly most?: (key: Key) => number;
}

const slowBatchMs = 1_000;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<Result>;
}

/**
 * Gathers what is asked for a key while something of it is under way, and asks for that in one go next. What comes alone
 * goes at once.
 */
export class MicroBatcher<Key, Item, Result> {
  readonly #options: Options<Key, Item, Result>;
  /** By names of keys that something is under way for. */
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>();

  constructor(options: Options<Key, Item, Result>) {
    this.#options = options;
  }

  add(key: Key, item: Item): Promise<Result> {
    const waiting: Waiting<Item, Result> = { item, done: Promise.withResolvers() };
    const name = this.#options.nameOf(key);
    const others = this.#waiting.get(name);
    if (others !== undefined) others.push(waiting);
    else {
      this.#waiting.set(name, [waiting]);
      this.#begin(key);
    }
    return waiting.done.promise;
  }

  #begin(key: Key): void {
    const work = () => {
      // Every failure goes to those who asked.
      whenSettled(this.#work(key), () => {});
    };
    if (this.#options.gathers) setImmediate(work);
    else work();
  }

  async #work(key: Key): Promise<void> {
    const name = this.#options.nameOf(key);
    const most = this.#options.most?.(key) ?? Number.POSITIVE_INFINITY;
    const next = () => this.#waiting.get(name)?.splice(0, most) ?? [];
    for (let batch = next(); batch.length > 0; batch = next()) {
      const done = this.#runTogether(key, batch);
      await (this.#options.thenAlone === 'at once' ? withTimeout(slowBatchMs, done) : done);
    }
    this.#waiting.delete(name);
  }

  async #runTogether(key: Key, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const { run, thenAlone } = this.#options;
    try {
      const items = batch.map(({ item }) => item);
      const share = await run(key, items);
      for (const [index, { item, done }] of batch.entries()) done.resolve(share(item, index));
    } catch (error) {
      if (thenAlone === undefined || batch.length === 1) for (const { done } of batch) done.reject(error);
      else {
        for (const one of batch) {
          const tried = this.#runTogether(key, [one]);
          if (thenAlone === 'in order') await tried;
        }
      }
    }
  }
}
