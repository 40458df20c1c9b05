/** An item that is stored in the same statement as turns of its kind, but belongs to none of them. */
export interface PiggybackItem {
  /** The session of the item's conversation. */
  readonly session: string;
  /** Keyed by the columns of its kind. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The value of the item's SQL expression. */
export interface PiggybackResult {
  readonly value: unknown;
}

interface Waiting {
  readonly item: PiggybackItem;
  readonly done: PromiseWithResolvers<PiggybackResult | null>;
}

/** Upper bound for the wait, because the running statement may be waiting for a locked conversation. */
const maxWaitMs = 50;

type Store<Stored> = (items: readonly PiggybackItem[]) => Promise<Stored>;

/**
 * Items that wait while turns are being stored, and are then stored with the next turns. This saves a round trip and a
 * commit.
 */
export class PiggybackBatch {
  #inFlight = 0;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Resolves with null within 50 ms if no turns are being stored or storing them fails. */
  add(item: PiggybackItem): Promise<PiggybackResult | null> {
    if (this.#inFlight === 0) return Promise.resolve(null);
    const done = Promise.withResolvers<PiggybackResult | null>();
    this.#waiting.push({ item, done });
    this.#timer ??= setTimeout(() => resolveUnsent(this.#takeWaiting()), maxWaitMs);
    return done.promise;
  }

  /**
   * Calls `store` with all waiting items. If it fails, an item may be the cause: it is called once more without items,
   * unless the caller retries by itself (`callerRetries`).
   */
  async storeWithWaiting<Stored extends { readonly itemValues: readonly unknown[] }>(
    store: Store<Stored>,
    { callerRetries }: { readonly callerRetries: boolean },
  ): Promise<Stored> {
    this.#inFlight += 1;
    const taken = this.#takeWaiting();
    try {
      const stored = await store(taken.map(({ item }) => item));
      for (const [index, { done }] of taken.entries()) done.resolve({ value: stored.itemValues[index] });
      return stored;
    } catch (error) {
      resolveUnsent(taken);
      if (taken.length === 0 || callerRetries) throw error;
      return await store([]);
    } finally {
      this.#inFlight -= 1;
      // The next turns, if any, start in the same turn of the event loop.
      setImmediate(() => {
        if (this.#inFlight === 0) resolveUnsent(this.#takeWaiting());
      });
    }
  }

  #takeWaiting(): Waiting[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#waiting.splice(0);
  }
}

function resolveUnsent(waiting: readonly Waiting[]): void {
  for (const { done } of waiting) done.resolve(null);
}
