import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { storedJson } from '../../base/text.ts';
import type { PulledParts, PullRequest } from '../../contract/webhook.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Database } from '../../storage/database.ts';
import type { NotificationHub, Notifications } from '../../storage/notifications/notifications.ts';
import { isDatabaseFault, retryUntilDatabase } from '../../storage/sql-errors.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { OpenedAccount } from '../accounts/channel-account.ts';
import type { LaneKey } from '../inbound/lane.ts';

interface PullDependencies {
  readonly clock: Clock;
  readonly database: Database;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly notificationHub: NotificationHub;
}

/** Interval at which a waiting request checks for itself, in case it missed a notification. */
const POLL_INTERVAL_MS = 1_000;
/** Extra time after the requested wait. Then the request is answered without the database's result. */
const GRACE_MS = 350;
/** How long a late result is kept for the next request. */
const LATE_RESULT_MS = 60_000;
const emptyResult: PulledParts = { parts: [], isAnswering: true, withPerson: false };

interface RequestContext {
  /** Stores what the request contained. */
  readonly accept: () => Promise<void>;
  /** If aborted, the request stops waiting and takes what is available. */
  readonly signal: AbortSignal;
  /** Returns true if the client has disconnected. */
  readonly isGone: () => boolean;
}

/** Delivers parts to platforms that collect them with requests of their own. */
export class PullDelivery {
  readonly #dependencies: PullDependencies;
  readonly #notifier: PullNotifier;
  /** Results that were too late for their request, by lane and key. */
  readonly #late = new Map<string, Promise<PulledParts>>();

  constructor(dependencies: PullDependencies) {
    this.#dependencies = dependencies;
    this.#notifier = new PullNotifier(dependencies.notificationHub);
  }

  /**
   * Stores the content of a request and waits for parts, until none can follow, or until the requested wait is
   * over. The request is then answered even if the database has not responded: a late result is kept for the
   * next request with the same lane and key.
   */
  async collect(
    account: OpenedAccount,
    collection: PullRequest,
    context: RequestContext,
  ): Promise<PulledParts> {
    const name = `${account.id} ${collection.lane} ${collection.key}`;
    const earlier = this.#late.get(name);
    this.#late.delete(name);
    let isAnswered = false;
    const accept = () => acceptDurably(context.accept, () => isAnswered);
    const collecting = this.#collectAfter(earlier, account, { collection, context: { ...context, accept } });
    const timeout = new AbortController();
    const timedOut = wait(collection.waitMs + GRACE_MS, null, { signal: timeout.signal }).catch(() => null);
    try {
      const collected = await Promise.race([collecting, timedOut]);
      if (collected !== null) return collected;
    } finally {
      timeout.abort();
    }
    isAnswered = true;
    this.#keepLate(name, collecting);
    return emptyResult;
  }

  async #collectAfter(
    earlier: Promise<PulledParts> | undefined,
    account: OpenedAccount,
    asked: { readonly collection: PullRequest; readonly context: RequestContext },
  ): Promise<PulledParts> {
    await asked.context.accept();
    const earlierParts = await earlier?.catch(() => emptyResult);
    if (earlierParts !== undefined && earlierParts.parts.length > 0) return earlierParts;
    return this.#waitForParts(account, asked.collection, asked.context);
  }

  async #waitForParts(
    { id: channelId, channel }: OpenedAccount,
    { lane, key, waitMs }: PullRequest,
    { signal, isGone }: RequestContext,
  ): Promise<PulledParts> {
    const { clock, database, metrics } = this.#dependencies;
    const until = performance.now() + waitMs;
    const subscription = await this.#notifier.subscribe(channelId, key);
    try {
      for (;;) {
        if (isGone()) return emptyResult;
        const collected = await collectParts(database.urgent, { channelId, lane, key, now: clock.now() });
        for (const waitedMs of collected.waitedMs) metrics.channels.sent(channel, waitedMs);
        const leftMs = until - performance.now();
        if (collected.parts.length > 0 || !collected.isAnswering || leftMs <= 0 || signal.aborted)
          return collected;
        await subscription.next(Math.min(leftMs, POLL_INTERVAL_MS), signal);
      }
    } finally {
      subscription.end();
    }
  }

  #keepLate(name: string, collecting: Promise<PulledParts>): void {
    const { log } = this.#dependencies;
    this.#late.set(name, collecting);
    const forget = () => {
      if (this.#late.get(name) === collecting) this.#late.delete(name);
    };
    setTimeout(forget, LATE_RESULT_MS).unref();
    collecting.catch((err: unknown) => log.error({ err }, 'storing a webhook payload failed'));
  }
}

/** Stores the content of a request. Once the request is answered the platform does not repeat it, so faults are retried. */
async function acceptDurably(accept: () => Promise<void>, isAnswered: () => boolean): Promise<void> {
  try {
    await accept();
  } catch (error) {
    if (!isAnswered() || !isDatabaseFault(error)) throw error;
    await retryUntilDatabase(accept, AbortSignal.timeout(LATE_RESULT_MS));
  }
}

/** The collected parts and how long each of them waited. */
interface CollectedParts extends PulledParts {
  readonly waitedMs: readonly number[];
}

const schema = z.object({
  parts: z.array(z.object({ content: storedJson, since: z.coerce.date() })),
  answering: z.boolean(),
  withPerson: z.boolean(),
});

/** Collects the parts under a key. They count as sent, so no other request gets them. */
async function collectParts(
  database: Kysely<Tables>,
  { channelId, lane, key, now }: LaneKey & { readonly key: string; readonly now: Date },
): Promise<CollectedParts> {
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

/** A request that waits for parts under a key. */
interface PullSubscription {
  /**
   * Resolves on a notification, including one since the last call, after `timeoutMs`, or when `signal` is
   * aborted.
   */
  next(timeoutMs: number, signal: AbortSignal): Promise<void>;
  end(): void;
}

/** Notifies waiting requests of this process when any process stores collectable parts. */
class PullNotifier {
  readonly #notifications: Notifications;

  constructor(hub: NotificationHub) {
    this.#notifications = hub.channel('collectable');
  }

  /** Resolves once the subscription is active, so that no notification is missed. */
  async subscribe(channelId: string, key: string): Promise<PullSubscription> {
    let isNotified = false;
    let wake = () => {};
    const end = await this.#notifications.listen(channelId, (notified) => {
      // Null: some may have been missed.
      if (notified !== null && notified !== key) return;
      isNotified = true;
      wake();
    });
    return {
      next: (timeoutMs, signal) =>
        new Promise((resolve) => {
          const timer = setTimeout(() => wake(), timeoutMs);
          const aborted = () => wake();
          wake = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', aborted);
            isNotified = false;
            resolve();
          };
          signal.addEventListener('abort', aborted);
          if (isNotified || signal.aborted) wake();
        }),
      end,
    };
  }
}

/** Platforms collect parts within seconds. */
const MAX_AGE_MS = 5 * 60_000;

/** Fails parts that were not collected in time: the connection they were meant for is gone. */
export async function expireUncollectedParts(database: Kysely<Tables>, now: Date): Promise<void> {
  await sql`
    update outbound_part set status = 'failed', failure = 'The platform did not collect it within five minutes.'
    where status = 'collectable' and created_at < ${new Date(now.getTime() - MAX_AGE_MS)}
  `.execute(database);
}
