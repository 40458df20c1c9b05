import { setTimeout as wait } from 'node:timers/promises';
import type { OpenedAccount } from '../channels/opened-account.ts';
import type { Collected, Collection } from '../contract/webhook-intake.ts';
import type { Runtime } from '../runtime.ts';
import { collectParts } from './collect-parts.ts';
import { CollectionBell } from './collection-bell.ts';

type Dependencies = Pick<Runtime, 'clock' | 'database' | 'log' | 'metrics'>;

/** How often somebody who waits looks by himself, should he have missed that he was woken. */
const lookMs = 1_000;
/** Longer than it is ready to wait a request is not kept: it is answered without what the database has not done by then. */
const graceMs = 350;
/** What came too late for a request waits so long for the next one. */
const keptMs = 60_000;
const nothingYet: Collected = { parts: [], isAnswering: true, withPerson: false };

interface Circumstances {
  /** Stores what the request told. */
  readonly accept: () => Promise<void>;
  /** Aborted, nobody waits any more: what there is is taken at once. */
  readonly signal: AbortSignal;
  /** Whether nobody would hear it. */
  readonly isGone: () => boolean;
}

/** Hands what is to be said over to the requests that platforms come for it with. */
export class Collections {
  readonly #dependencies: Dependencies;
  readonly #bell: CollectionBell;
  /** What is still being stored and fetched for requests that were answered without it, by lane. */
  readonly #late = new Map<string, Promise<Collected>>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#bell = new CollectionBell({ pool: dependencies.database.pool, log: dependencies.log });
  }

  /**
   * Stores what a request told, and waits until something is to be said, nothing will be, or the request has waited for
   * long enough. It is answered then whatever the database does: what is stored and fetched too late is for the next
   * request of the same lane and key.
   */
  async collect(
    account: OpenedAccount,
    collection: Collection,
    circumstances: Circumstances,
  ): Promise<Collected> {
    const name = `${account.id} ${collection.lane} ${collection.key}`;
    const before = this.#late.get(name);
    this.#late.delete(name);
    const collecting = this.#after(before, account, { collection, circumstances });
    const patience = new AbortController();
    const tooLong = wait(collection.waitMs + graceMs, null, { signal: patience.signal }).catch(() => null);
    try {
      const collected = await Promise.race([collecting, tooLong]);
      if (collected !== null) return collected;
    } finally {
      patience.abort();
    }
    this.#keepLate(name, collecting);
    return nothingYet;
  }

  close(): Promise<void> {
    return this.#bell.close();
  }

  async #after(
    before: Promise<Collected> | undefined,
    account: OpenedAccount,
    asked: { readonly collection: Collection; readonly circumstances: Circumstances },
  ): Promise<Collected> {
    await asked.circumstances.accept();
    const missed = await before?.catch(() => nothingYet);
    if (missed !== undefined && missed.parts.length > 0) return missed;
    return this.#wait(account, asked.collection, asked.circumstances);
  }

  async #wait(
    { id: channelId, channel }: OpenedAccount,
    { lane, key, waitMs }: Collection,
    { signal, isGone }: Circumstances,
  ): Promise<Collected> {
    const { clock, database, metrics } = this.#dependencies;
    const until = performance.now() + waitMs;
    const ring = await this.#bell.ring(channelId, key);
    try {
      for (;;) {
        if (isGone()) return nothingYet;
        const taken = await collectParts(database.urgent, { channelId, lane, key, now: clock.now() });
        for (const waitedMs of taken.waitedMs) metrics.channels.sent(channel, waitedMs);
        const leftMs = until - performance.now();
        if (taken.parts.length > 0 || !taken.isAnswering || leftMs <= 0 || signal.aborted) return taken;
        await ring.next(Math.min(leftMs, lookMs), signal);
      }
    } finally {
      ring.end();
    }
  }

  #keepLate(name: string, collecting: Promise<Collected>): void {
    const { log } = this.#dependencies;
    this.#late.set(name, collecting);
    const forget = () => {
      if (this.#late.get(name) === collecting) this.#late.delete(name);
    };
    setTimeout(forget, keptMs).unref();
    collecting.catch((err: unknown) => log.error({ err }, 'what was told in a request was not stored'));
  }
}
