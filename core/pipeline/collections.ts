import type { OpenedAccount } from '../channels/opened-account.ts';
import type { Collected, Collection } from '../contract/webhook-intake.ts';
import type { Runtime } from '../runtime.ts';
import { collectParts } from './collect-parts.ts';
import { CollectionBell } from './collection-bell.ts';

type Dependencies = Pick<Runtime, 'clock' | 'database' | 'log' | 'metrics'>;

/** How often somebody who waits looks by himself, should he have missed that he was woken. */
const lookMs = 1_000;

/** Hands what is to be said over to the requests that platforms come for it with. */
export class Collections {
  readonly #dependencies: Dependencies;
  readonly #bell: CollectionBell;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#bell = new CollectionBell({ pool: dependencies.database.pool, log: dependencies.log });
  }

  /**
   * Waits until something is to be said, nothing will be, or the request has waited for long enough. Where `signal` is
   * aborted nobody waits any more: what there is is taken at once, unless `isGone` says that nobody would hear it.
   */
  async collect(
    { id: channelId, channel }: OpenedAccount,
    { lane, key, waitMs }: Collection,
    { signal, isGone }: { readonly signal: AbortSignal; readonly isGone: () => boolean },
  ): Promise<Collected> {
    const { clock, database, metrics } = this.#dependencies;
    const until = performance.now() + waitMs;
    const ring = await this.#bell.ring(channelId, key);
    try {
      for (;;) {
        if (isGone()) return { parts: [], isAnswering: true, withPerson: false };
        const taken = await collectParts(database.kysely, { channelId, lane, key, now: clock.now() });
        for (const waitedMs of taken.waitedMs) metrics.channels.sent(channel, waitedMs);
        const leftMs = until - performance.now();
        if (taken.parts.length > 0 || !taken.isAnswering || leftMs <= 0 || signal.aborted) return taken;
        await ring.next(Math.min(leftMs, lookMs), signal);
      }
    } finally {
      ring.end();
    }
  }

  close(): Promise<void> {
    return this.#bell.close();
  }
}
