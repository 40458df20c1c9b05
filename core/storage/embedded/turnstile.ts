/**
 * One statement at a time on one session: whoever is inside a transaction keeps the turn until it ends,
 * everybody else waits in order.
 */
export class Turnstile {
  #holder: object | null = null;
  readonly #waiting: { readonly who: object; readonly enter: () => void }[] = [];

  /** Resolves when `who` may run a statement; at once when it already has the turn. */
  enter(who: object): Promise<void> {
    if (this.#holder === who) return Promise.resolve();
    if (this.#holder === null) {
      this.#holder = who;
      return Promise.resolve();
    }
    return new Promise((enter) => this.#waiting.push({ who, enter }));
  }

  leave(who: object): void {
    if (this.#holder !== who) return;
    const next = this.#waiting.shift();
    this.#holder = next?.who ?? null;
    next?.enter();
  }
}
