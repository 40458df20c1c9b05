interface QueuedItem<Item> {
  readonly owner: string;
  readonly item: Item;
}

/** A queue of items of several owners: first in, first out per owner, round robin over owners. */
export class FairQueue<Item> {
  /** Insertion order is the order of turns: the next owner is first. */
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

  /** Removes and returns the next item of an eligible owner. Null if there is none. */
  take(isEligible: (owner: string) => boolean): QueuedItem<Item> | null {
    for (const [owner, items] of this.#byOwner) {
      if (!isEligible(owner)) continue;
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

/** Counts running jobs by owner. */
export class OwnerCounts {
  readonly #counts = new Map<string, number>();
  #all = 0;

  /** Total over all owners. */
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
