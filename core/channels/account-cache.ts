import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { OpenedAccount } from './opened-account.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly load: (id: string) => Promise<OpenedAccount | null>;
}

const ttl = 5_000;

/**
 * Accounts that were asked for a moment ago: a change that this process made is seen at once, one of another process
 * within five seconds. Who gets the same object twice need not read it again.
 */
export class AccountCache {
  readonly #load: Dependencies['load'];
  readonly #known: LRUCache<string, Promise<OpenedAccount | null>>;

  constructor({ clock, load }: Dependencies) {
    this.#load = load;
    const perf = { now: () => clock.now().getTime() };
    this.#known = new LRUCache({ max: 1_000, ttl, ttlResolution: 0, perf });
  }

  get(id: string): Promise<OpenedAccount | null> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const loading = this.#load(id);
    this.#known.set(id, loading);
    // What is not there may be there soon, and anybody may ask for what never will be.
    const forget = () => {
      if (this.#known.peek(id) === loading) this.#known.delete(id);
    };
    loading.then((account) => account === null && forget(), forget);
    return loading;
  }

  forget(): void {
    this.#known.clear();
  }
}
