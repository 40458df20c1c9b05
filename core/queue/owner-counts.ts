/** How much there is of each owner. */
export class OwnerCounts {
  readonly #counts = new Map<string, number>();
  #all = 0;

  /** Of all of them. */
  get all(): number {
    return this.#all;
  }

  of(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  add(owner: string, by: 1 | -1): void {
    this.#all += by;
    const count = this.of(owner) + by;
    if (count === 0) this.#counts.delete(owner);
    else this.#counts.set(owner, count);
  }
}
