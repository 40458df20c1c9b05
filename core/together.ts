/** What each of those who asked together gets; `index` is his place among them. */
type Share<Item, Result> = (item: Item, index: number) => Result;

interface Options<Key, Item, Result> {
  /** The same for keys that mean the same. */
  readonly nameOf: (key: Key) => string;
  /** Never called twice at a time for one key. */
  readonly run: (key: Key, items: readonly Item[]) => Promise<Share<Item, Result>>;
  /** After a failure each is tried alone, in order: what is wrong with one is no fault of the others. */
  readonly thenAlone?: boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<Result>;
}

/**
 * Gathers what is asked for a key while something of it is under way, and asks for that in one go next. What comes alone
 * goes at once.
 */
export class Together<Key, Item, Result> {
  readonly #options: Options<Key, Item, Result>;
  /** By names of keys that something is under way for. */
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>();

  constructor(options: Options<Key, Item, Result>) {
    this.#options = options;
  }

  ask(key: Key, item: Item): Promise<Result> {
    const waiting: Waiting<Item, Result> = { item, done: Promise.withResolvers() };
    const name = this.#options.nameOf(key);
    const others = this.#waiting.get(name);
    if (others !== undefined) others.push(waiting);
    else {
      this.#waiting.set(name, []);
      void this.#work(key, [waiting]);
    }
    return waiting.done.promise;
  }

  async #work(key: Key, first: readonly Waiting<Item, Result>[]): Promise<void> {
    const name = this.#options.nameOf(key);
    for (let batch = first; batch.length > 0; batch = this.#waiting.get(name)?.splice(0) ?? []) {
      await this.#runTogether(key, batch);
    }
    this.#waiting.delete(name);
  }

  async #runTogether(key: Key, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const { run, thenAlone = false } = this.#options;
    try {
      const items = batch.map(({ item }) => item);
      const share = await run(key, items);
      for (const [index, { item, done }] of batch.entries()) done.resolve(share(item, index));
    } catch (error) {
      if (thenAlone && batch.length > 1) for (const one of batch) await this.#runTogether(key, [one]);
      else for (const { done } of batch) done.reject(error);
    }
  }
}
