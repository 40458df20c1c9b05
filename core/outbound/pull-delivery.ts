import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { OpenedAccount } from '../channels/channel-account.ts';
import type { Clock } from '../clock.ts';
import type { PulledParts, PullRequest } from '../contract/webhook.ts';
import type { LaneKey } from '../inbound/lane.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Database } from '../storage/database.ts';
import { Notifications } from '../storage/notifications.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { storedJson } from '../text.ts';

interface CollectionsDependencies {
  readonly clock: Clock;
  readonly database: Database;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** How often somebody who waits looks by himself, should he have missed that he was woken. */
const lookMs = 1_000;
/** Longer than it is ready to wait a request is not kept: it is answered without what the database has not done by then. */
const graceMs = 350;
/** What came too late for a request waits so long for the next one. */
const keptMs = 60_000;
const nothingYet: PulledParts = { parts: [], isAnswering: true, withPerson: false };

interface Circumstances {
  /** Stores what the request told. */
  readonly accept: () => Promise<void>;
  /** Aborted, nobody waits any more: what there is is taken at once. */
  readonly signal: AbortSignal;
  /** Whether nobody would hear it. */
  readonly isGone: () => boolean;
}

/** Hands what is to be said over to the requests that platforms come for it with. */
export class PullDelivery {
  readonly #dependencies: CollectionsDependencies;
  readonly #bell: PullNotifier;
  /** What is still being stored and fetched for requests that were answered without it, by lane. */
  readonly #late = new Map<string, Promise<PulledParts>>();

  constructor(dependencies: CollectionsDependencies) {
    this.#dependencies = dependencies;
    this.#bell = new PullNotifier({ pool: dependencies.database.pool, log: dependencies.log });
  }

  /**
   * Stores what a request told, and waits until something is to be said, nothing will be, or the request has waited for
   * long enough. It is answered then whatever the database does: what is stored and fetched too late is for the next
   * request of the same lane and key.
   */
  async collect(
    account: OpenedAccount,
    collection: PullRequest,
    circumstances: Circumstances,
  ): Promise<PulledParts> {
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
    before: Promise<PulledParts> | undefined,
    account: OpenedAccount,
    asked: { readonly collection: PullRequest; readonly circumstances: Circumstances },
  ): Promise<PulledParts> {
    await asked.circumstances.accept();
    const missed = await before?.catch(() => nothingYet);
    if (missed !== undefined && missed.parts.length > 0) return missed;
    return this.#wait(account, asked.collection, asked.circumstances);
  }

  async #wait(
    { id: channelId, channel }: OpenedAccount,
    { lane, key, waitMs }: PullRequest,
    { signal, isGone }: Circumstances,
  ): Promise<PulledParts> {
    const { clock, database, metrics } = this.#dependencies;
    const until = performance.now() + waitMs;
    const ring = await this.#bell.subscribe(channelId, key);
    try {
      for (;;) {
        if (isGone()) return nothingYet;
        const taken = await takeCollectableParts(database.urgent, { channelId, lane, key, now: clock.now() });
        for (const waitedMs of taken.waitedMs) metrics.channels.sent(channel, waitedMs);
        const leftMs = until - performance.now();
        if (taken.parts.length > 0 || !taken.isAnswering || leftMs <= 0 || signal.aborted) return taken;
        await ring.next(Math.min(leftMs, lookMs), signal);
      }
    } finally {
      ring.end();
    }
  }

  #keepLate(name: string, collecting: Promise<PulledParts>): void {
    const { log } = this.#dependencies;
    this.#late.set(name, collecting);
    const forget = () => {
      if (this.#late.get(name) === collecting) this.#late.delete(name);
    };
    setTimeout(forget, keptMs).unref();
    collecting.catch((err: unknown) => log.error({ err }, 'what was told in a request was not stored'));
  }
}

/** What a request takes along, and for how long each part of it waited. */
interface TakenParts extends PulledParts {
  readonly waitedMs: readonly number[];
}

const schema = z.object({
  parts: z.array(z.object({ content: storedJson, since: z.coerce.date() })),
  answering: z.boolean(),
  withPerson: z.boolean(),
});

/** Takes what waits under a key: it counts as sent, and nobody else gets it. */
async function takeCollectableParts(
  database: Kysely<Tables>,
  { channelId, lane, key, now }: LaneKey & { readonly key: string; readonly now: Date },
): Promise<TakenParts> {
  const { rows } = await sql<{ collected: unknown }>`
    select collect_parts(${channelId}, ${lane}, ${key}, ${now}) as collected
  `.execute(database);
  const { parts, answering, withPerson } = schema.parse(rows[0]?.collected);
  return {
    parts: parts.map(({ content }) => ({ content })),
    isAnswering: answering,
    withPerson,
    waitedMs: parts.map(({ since }) => now.getTime() - since.getTime()),
  };
}

/** Somebody who waits for what is kept under a key. */
interface PullSubscription {
  /** Resolves when it rings, also if it rang since the last time; after so long without; and when `signal` is aborted. */
  next(patienceMs: number, signal: AbortSignal): Promise<void>;
  end(): void;
}

type CollectionBellDependencies = Omit<ConstructorParameters<typeof Notifications>[0], 'channel'>;

/** Rings in this process when a process, whichever, has stored something that is to be collected. */
class PullNotifier {
  readonly #board: Notifications;

  constructor(dependencies: CollectionBellDependencies) {
    this.#board = new Notifications({ ...dependencies, channel: 'collectable' });
  }

  /** Resolves when nothing is missed any more. */
  async subscribe(channelId: string, key: string): Promise<PullSubscription> {
    let isRung = false;
    let wake = () => {};
    const end = await this.#board.listen(`${channelId} ${key}`, () => {
      isRung = true;
      wake();
    });
    return {
      next: (patienceMs, signal) =>
        new Promise((resolve) => {
          const timer = setTimeout(() => wake(), patienceMs);
          const aborted = () => wake();
          wake = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', aborted);
            isRung = false;
            resolve();
          };
          signal.addEventListener('abort', aborted);
          if (isRung || signal.aborted) wake();
        }),
      end,
    };
  }

  close(): Promise<void> {
    return this.#board.close();
  }
}

/** Whoever comes for it does so within seconds. */
const longestMs = 5 * 60_000;

/** What nobody came for in all that time nobody will: the connection that it was for is gone. */
export async function expireUncollectedParts(database: Kysely<Tables>, now: Date): Promise<void> {
  await sql`
    update outbound_part set status = 'failed', failure = 'Nobody came for it within five minutes.'
    where status = 'collectable' and created_at < ${new Date(now.getTime() - longestMs)}
  `.execute(database);
}
