interface QueuedItem<Item> {
  readonly owner: string;
  readonly item: Item;
}

/** What waits of several owners: of each in the order in which it came, and the owners by turns. */
export class FairQueue<Item> {
  /** The owner whose turn it is comes first. */
  readonly #byOwner = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(owner: string, item: Item): void {
    this.#size += 1;
    const items = this.#byOwner.get(owner);
    if (items === undefined) this.#byOwner.set(owner, [item]);
    else items.push(item);
  }

  /** The next, of an owner that may have it; null where there is none. */
  take(may: (owner: string) => boolean): QueuedItem<Item> | null {
    for (const [owner, items] of this.#byOwner) {
      if (!may(owner)) continue;
      const item = items.shift();
      this.#byOwner.delete(owner);
      if (items.length > 0) this.#byOwner.set(owner, items);
      if (item === undefined) return null;
      this.#size -= 1;
      return { owner, item };
    }
    return null;
  }
}

/** How much there is of each owner. */
export class OwnerCounts {
  readonly #counts = new Map<string, number>();
  #all = 0;

  /** Of all of them. */
  get all(): number {
    return this.#all;
  }

  count(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  add(owner: string, by: 1 | -1): void {
    this.#all += by;
    const count = this.count(owner) + by;
    if (count === 0) this.#counts.delete(owner);
    else this.#counts.set(owner, count);
  }
}
