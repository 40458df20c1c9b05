interface Waiting {
  readonly who: object;
  readonly isAlone: boolean;
  readonly enter: () => void;
}

interface Entering {
  /** Before all who are not. */
  readonly isAhead?: boolean;
  /** With nobody let in behind it until it leaves, as a transaction has to be. */
  readonly isAlone?: boolean;
}

/**
 * The order in which statements go to one session, which does one after the other. A few may be on their way at once, so
 * that it never waits for the next one. Everybody else waits in order.
 */
export class Turnstile {
  readonly #most: number;
  readonly #inside = new Set<object>();
  readonly #ahead: Waiting[] = [];
  readonly #waiting: Waiting[] = [];
  #alone: object | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when `who` may run a statement; at once when it is inside already. */
  enter(who: object, { isAhead = false, isAlone = false }: Entering = {}): Promise<void> {
    if (this.#inside.has(who)) return Promise.resolve();
    const entered = new Promise<void>((enter) => {
      (isAhead ? this.#ahead : this.#waiting).push({ who, isAlone, enter });
    });
    this.#admit();
    return entered;
  }

  leave(who: object): void {
    this.#inside.delete(who);
    if (this.#alone === who) this.#alone = null;
    this.#admit();
  }

  #admit(): void {
    for (;;) {
      const line = this.#ahead.length > 0 ? this.#ahead : this.#waiting;
      const [next] = line;
      if (next === undefined || this.#alone !== null || this.#inside.size >= this.#most) return;
      line.shift();
      this.#inside.add(next.who);
      if (next.isAlone) this.#alone = next.who;
      next.enter();
    }
  }
}
