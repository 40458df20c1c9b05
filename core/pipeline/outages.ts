import { LRUCache } from 'lru-cache';

interface Options {
  /** In milliseconds. */
  readonly now: () => number;
}

/** Something about one conversation fails no oftener in a row where others are answered meanwhile. */
const leastFailures = 3;
const leastMs = 15_000;
const mostChannels = 1_000;

/** Channels whose platforms are out of order: for a while every try was in vain, for reasons that pass. */
export class Outages {
  readonly #options: Options;
  readonly #failing = new LRUCache<string, { readonly since: number; readonly failures: number }>({
    max: mostChannels,
  });

  constructor(options: Options) {
    this.#options = options;
  }

  noteFailure(channelId: string): void {
    const { since, failures } = this.#failing.get(channelId) ?? { since: this.#options.now(), failures: 0 };
    this.#failing.set(channelId, { since, failures: failures + 1 });
  }

  /** Whether that ends an outage. */
  noteSent(channelId: string): boolean {
    const failing = this.#failing.get(channelId);
    if (failing === undefined) return false;
    this.#failing.delete(channelId);
    return failing.failures >= leastFailures && this.#options.now() - failing.since >= leastMs;
  }
}
