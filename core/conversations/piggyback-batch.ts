/** What is noted with turns of a kind, though it is of none of them. */
export interface PiggybackItem {
  /** The session of its conversation. */
  readonly session: string;
  /** By the columns of its kind. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** What its expression came to. */
export interface PiggybackResult {
  readonly value: unknown;
}

interface Waiting {
  readonly rider: PiggybackItem;
  readonly done: PromiseWithResolvers<PiggybackResult | null>;
}

/** What is under way may wait for a conversation that somebody has locked. */
const maxWaitMs = 50;

type Store<Stored> = (riders: readonly PiggybackItem[]) => Promise<Stored>;

/** Those who wait while turns are being stored, to go with the next ones: a round trip and a commit less. */
export class PiggybackBatch {
  #underWay = 0;
  #waiting: Waiting[] = [];
  #tooLate: NodeJS.Timeout | undefined;

  /** Null, soon, where nothing goes that it could go with, or what goes fails. */
  add(rider: PiggybackItem): Promise<PiggybackResult | null> {
    if (this.#underWay === 0) return Promise.resolve(null);
    const done = Promise.withResolvers<PiggybackResult | null>();
    this.#waiting.push({ rider, done });
    this.#tooLate ??= setTimeout(() => resolveUnsent(this.#board()), maxWaitMs);
    return done.promise;
  }

  /**
   * Stores with all who wait. Where that fails it may be one of them who is to blame: it is tried once more without them,
   * unless whoever asks `triesAgain` himself.
   */
  async storeWithWaiting<Stored extends { readonly noted: readonly unknown[] }>(
    store: Store<Stored>,
    { triesAgain }: { readonly triesAgain: boolean },
  ): Promise<Stored> {
    this.#underWay += 1;
    const riding = this.#board();
    try {
      const stored = await store(riding.map(({ rider }) => rider));
      for (const [place, { done }] of riding.entries()) done.resolve({ value: stored.noted[place] });
      return stored;
    } catch (error) {
      resolveUnsent(riding);
      if (riding.length === 0 || triesAgain) throw error;
      return await store([]);
    } finally {
      this.#underWay -= 1;
      // What goes next does so in this turn of the event loop.
      setImmediate(() => {
        if (this.#underWay === 0) resolveUnsent(this.#board());
      });
    }
  }

  #board(): Waiting[] {
    clearTimeout(this.#tooLate);
    this.#tooLate = undefined;
    return this.#waiting.splice(0);
  }
}

function resolveUnsent(waiting: readonly Waiting[]): void {
  for (const { done } of waiting) done.resolve(null);
}
