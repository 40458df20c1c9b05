interface Waiting {
  readonly who: object;
  readonly enter: () => void;
}

/**
 * One statement at a time on one session: whoever is inside a transaction keeps the turn until it ends,
 * everybody else waits in order, and who is let in ahead before all others.
 */
export class Turnstile {
  #holder: object | null = null;
  readonly #ahead: Waiting[] = [];
  readonly #waiting: Waiting[] = [];

  /** Resolves when `who` may run a statement; at once when it already has the turn. */
  enter(who: object, isAhead = false): Promise<void> {
    if (this.#holder === who) return Promise.resolve();
    if (this.#holder === null) {
      this.#holder = who;
      return Promise.resolve();
    }
    const waiting = isAhead ? this.#ahead : this.#waiting;
    return new Promise((enter) => waiting.push({ who, enter }));
  }

  leave(who: object): void {
    if (this.#holder !== who) return;
    const next = this.#ahead.shift() ?? this.#waiting.shift();
    this.#holder = next?.who ?? null;
    next?.enter();
  }
}
