import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { whenSettled } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Channels } from '../channels/channels.ts';
import type { ConnectorRegistry } from '../channels/connector-registry.ts';
import { type ChannelOverview, loadChannelOverview } from '../channels/queue-overview.ts';
import type { Corpora } from '../knowledge/corpus/corpora.ts';
import { documentStatuses } from '../knowledge/documents/document.ts';
import { countChangingPassages } from '../knowledge/indexing/serving-model.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Database } from '../storage/database.ts';
import type { NotificationHub } from '../storage/notifications/notifications.ts';
import type { Readiness } from './readiness.ts';

/** The services whose state the gauges of one process report. */
export interface Measured extends MeasuredStores, MeasuredChannels {}

/** Adds all gauges that are read when the metrics are scraped. */
export function addGauges(registry: Registry, measured: Measured): void {
  addStoreGauges(registry, measured);
  addChannelGauges(registry, measured);
}

interface MeasuredStores {
  readonly corpora: Corpora;
  readonly database: Database;
  readonly queue: JobQueue;
  readonly readiness: Readiness;
  readonly notificationHub: NotificationHub;
  readonly log: Logger;
}

/**
 * Adds gauges that are read from the stores when the metrics are scraped. A store that does not respond is left
 * out.
 */
function addStoreGauges(
  registry: Registry,
  { corpora, database, queue, readiness, notificationHub, log }: MeasuredStores,
): void {
  const registers = [registry];
  const measure = async (gauge: Gauge, read: () => Promise<void>): Promise<void> => {
    gauge.reset();
    await read().catch((err: unknown) => log.warn({ err }, 'reading store metrics failed'));
  };
  new Gauge({
    name: 'parley_part_up',
    help: '1 if a part of the installation holds what it promises, otherwise 0. A part of which nothing is known is left out.',
    labelNames: ['part'],
    registers,
    collect() {
      return measure(this, async () => {
        for (const [part, state] of Object.entries(await readiness.parts())) {
          if (state !== 'unknown') this.set({ part }, state === 'ok' ? 1 : 0);
        }
      });
    },
  });
  new Gauge({
    name: 'parley_notifications_age_seconds',
    help: 'Time since this process last heard from itself through the database, by channel that it listens to.',
    labelNames: ['channel'],
    registers,
    collect() {
      this.reset();
      for (const [channel, seconds] of notificationHub.ages()) this.set({ channel }, seconds);
    },
  });
  new Gauge({
    name: 'queue_jobs',
    help: 'Jobs in the queue by state. Failed jobs are not retried.',
    labelNames: ['queue', 'state'],
    registers,
    collect() {
      return measure(this, async () => {
        for (const { name, counts } of await queue.depths()) {
          for (const [state, count] of Object.entries(counts)) this.set({ queue: name, state }, count);
        }
      });
    },
  });
  new Gauge({
    name: 'search_memory_bytes',
    help: 'Approximate memory used by documents that are searched in memory.',
    registers,
    collect() {
      this.set(corpora.bytesKept);
    },
  });
  new Gauge({
    name: 'embedding_change_passages',
    help: 'Passages of the workspaces whose embedding model is being changed, by state. 0 if there is none.',
    labelNames: ['state'],
    registers,
    collect() {
      return measure(this, async () => {
        const { done, waiting } = await countChangingPassages(database.kysely);
        this.set({ state: 'done' }, done);
        this.set({ state: 'waiting' }, waiting);
      });
    },
  });
  new Gauge({
    name: 'documents',
    help: 'Documents by status.',
    labelNames: ['status'],
    registers,
    collect() {
      return measure(this, async () => {
        const rows = await database.kysely
          .selectFrom('document')
          .select(['status', sql<number>`count(*)::integer`.as('count')])
          .groupBy('status')
          .execute();
        for (const status of documentStatuses) this.set({ status }, 0);
        for (const { status, count } of rows) this.set({ status }, count);
      });
    },
  });
}

interface MeasuredChannels {
  readonly database: Database;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly connectors: ConnectorRegistry;
  readonly log: Logger;
}

type Backlog = ChannelOverview['backlog'];

/** A gauge of one channel, and how channels of one kind are combined. */
interface KindGauge {
  readonly name: string;
  readonly help: string;
  readonly of: (backlog: Backlog, now: Date) => number;
  readonly combine: (one: number, other: number) => number;
}

const sum = (one: number, other: number) => one + other;

const kindGauges: readonly KindGauge[] = [
  {
    name: 'channel_oldest_unanswered_seconds',
    help: 'Age of the oldest unanswered message, 0 if there is none.',
    of: ({ oldestUnansweredAt }, now) => age(oldestUnansweredAt, now),
    combine: Math.max,
  },
  {
    name: 'channel_oldest_unsent_seconds',
    help: 'Age of the oldest unsent part of an answer, 0 if there is none.',
    of: ({ oldestUnsentAt }, now) => age(oldestUnsentAt, now),
    combine: Math.max,
  },
  {
    name: 'channel_unanswered_messages',
    help: 'Messages without an answer yet.',
    of: ({ unanswered }) => unanswered,
    combine: sum,
  },
  {
    name: 'channel_unanswerable_messages',
    help: 'Messages whose answer failed after the last attempt.',
    of: ({ unanswerable }) => unanswerable,
    combine: sum,
  },
  {
    name: 'channel_unsent_parts',
    help: 'Parts of answers that wait to be sent.',
    of: ({ unsent }) => unsent,
    combine: sum,
  },
  {
    name: 'channel_held_back_seconds',
    help: "Remaining time of a platform's rate limit, 0 if there is none.",
    of: ({ heldUntil }, now) =>
      heldUntil === null ? 0 : Math.max(0, heldUntil.getTime() - now.getTime()) / 1_000,
    combine: Math.max,
  },
  {
    name: 'channel_dead_parts',
    help: 'Parts of answers that failed after the last attempt.',
    of: ({ dead }) => dead,
    combine: sum,
  },
];

/**
 * Adds gauges about channels that are read from the database. They are the same in every process, so take their
 * maximum over processes, never their sum.
 */
function addChannelGauges(registry: Registry, stores: MeasuredChannels): void {
  const { clock, connectors, log } = stores;
  const read = shareReads(() => loadChannelOverview(stores));
  const add = (
    gauge: { readonly name: string; readonly help: string; readonly labelNames: readonly string[] },
    fill: (gauge: Gauge, channels: readonly ChannelOverview[]) => void,
  ) =>
    new Gauge({
      ...gauge,
      help: `${gauge.help} The same value from every process.`,
      registers: [registry],
      async collect() {
        this.reset();
        await read().then(
          (channels) => fill(this, channels),
          (err: unknown) => log.warn({ err }, 'reading store metrics failed'),
        );
      },
    });
  for (const { name, help, of, combine } of kindGauges) {
    add({ name, help, labelNames: ['channel'] }, (gauge, channels) => {
      const values = new Map(connectors.connectors.map(({ manifest }) => [manifest.channel, 0]));
      for (const { channel, backlog } of channels) {
        const current = values.get(channel.channel) ?? 0;
        values.set(channel.channel, combine(current, of(backlog, clock.now())));
      }
      for (const [channel, value] of values) gauge.set({ channel }, value);
    });
  }
  const labelNames = ['channel', 'id'];
  const up = '1 if an enabled channel is connected, otherwise 0.';
  add({ name: 'parley_channel_up', help: up, labelNames }, (gauge, channels) => {
    for (const { channel } of enabledChannels(channels))
      gauge.set(labels(channel), channel.status === 'connected' ? 1 : 0);
  });
  const stale =
    '1 if a channel with a listener had no activity for two minutes (Discord: 90 seconds), otherwise 0.';
  add({ name: 'parley_channel_stale', help: stale, labelNames }, (gauge, channels) => {
    for (const { channel } of enabledChannels(channels)) gauge.set(labels(channel), channel.isStale ? 1 : 0);
  });
}

function age(since: Date | null, now: Date): number {
  return since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000);
}

/** Disabled channels are left out, so that they raise no alarm. */
function enabledChannels(channels: readonly ChannelOverview[]): readonly ChannelOverview[] {
  return channels.filter(({ channel }) => channel.enabled);
}

function labels({ channel, id }: ChannelOverview['channel']) {
  return { channel, id };
}

/** Shares one read among all gauges, because they are collected concurrently. */
function shareReads<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  return () => {
    if (running !== null) return running;
    const reading = read();
    running = reading;
    whenSettled(reading, () => {
      running = null;
    });
    return reading;
  };
}
