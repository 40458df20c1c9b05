import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { whenSettled } from '../async.ts';
import type { Channels } from '../channels/channels.ts';
import type { ConnectorRegistry } from '../channels/connector-registry.ts';
import type { Clock } from '../clock.ts';
import type { Readiness } from '../health/readiness.ts';
import type { Corpora } from '../knowledge/corpus/corpora.ts';
import { documentStatuses } from '../knowledge/document.ts';
import type { Logger } from '../log.ts';
import type { JobQueue } from '../queue/queue.ts';
import { type ChannelOverview, loadChannelOverview } from '../queue/queue-overview.ts';
import type { Database } from '../storage/database.ts';

export interface MeasuredStores {
  readonly corpora: Corpora;
  readonly database: Database;
  readonly queue: JobQueue;
  readonly readiness: Readiness;
  readonly log: Logger;
}

/** What is counted in the stores when somebody asks. A store that cannot be asked is left out of that answer. */
export function addStoreGauges(
  registry: Registry,
  { corpora, database, queue, readiness, log }: MeasuredStores,
): void {
  const registers = [registry];
  const measure = async (gauge: Gauge, read: () => Promise<void>): Promise<void> => {
    gauge.reset();
    await read().catch((err: unknown) => log.warn({ err }, 'a store cannot be measured'));
  };
  new Gauge({
    name: 'parley_part_up',
    help: 'Whether a part that this process uses works (1) or not (0).',
    labelNames: ['part'],
    registers,
    collect() {
      return measure(this, async () => {
        for (const [part, state] of Object.entries(await readiness.parts())) {
          this.set({ part }, state === 'ok' ? 1 : 0);
        }
      });
    },
  });
  new Gauge({
    name: 'queue_jobs',
    help: 'Jobs of the queue by their state; failed ones were given up.',
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
    help: 'What documents that are searched in memory take of it, about.',
    registers,
    collect() {
      this.set(corpora.bytesKept);
    },
  });
  new Gauge({
    name: 'documents',
    help: 'Documents by their status.',
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

export interface MeasuredChannels {
  readonly database: Database;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly connectors: ConnectorRegistry;
  readonly log: Logger;
}

type Backlog = ChannelOverview['backlog'];

/** Of one channel, and how those of a kind are told as one. */
interface KindGauge {
  readonly name: string;
  readonly help: string;
  readonly of: (backlog: Backlog, now: Date) => number;
  readonly together: (one: number, other: number) => number;
}

const sum = (one: number, other: number) => one + other;

const kindGauges: readonly KindGauge[] = [
  {
    name: 'channel_oldest_unanswered_seconds',
    help: 'Age of the oldest message that is not answered; 0 where there is none.',
    of: ({ oldestUnansweredAt }, now) => age(oldestUnansweredAt, now),
    together: Math.max,
  },
  {
    name: 'channel_oldest_unsent_seconds',
    help: 'Age of the oldest part of an answer that is not sent; 0 where there is none.',
    of: ({ oldestUnsentAt }, now) => age(oldestUnsentAt, now),
    together: Math.max,
  },
  {
    name: 'channel_unanswered_messages',
    help: 'Messages that are not answered yet.',
    of: ({ unanswered }) => unanswered,
    together: sum,
  },
  {
    name: 'channel_unanswerable_messages',
    help: 'Messages that were given up.',
    of: ({ unanswerable }) => unanswerable,
    together: sum,
  },
  {
    name: 'channel_unsent_parts',
    help: 'Parts of answers that are still to be sent.',
    of: ({ unsent }) => unsent,
    together: sum,
  },
  {
    name: 'channel_held_back_seconds',
    help: 'For how long a platform takes nothing more, as it said; 0 where it takes what comes.',
    of: ({ heldUntil }, now) =>
      heldUntil === null ? 0 : Math.max(0, heldUntil.getTime() - now.getTime()) / 1_000,
    together: Math.max,
  },
  {
    name: 'channel_dead_parts',
    help: 'Parts of answers that were given up after too many tries.',
    of: ({ dead }) => dead,
    together: sum,
  },
];

/**
 * What the database tells of channels when somebody asks: the same in every process, so it is to be read as a maximum
 * over them, and never as a sum.
 */
export function addChannelGauges(registry: Registry, stores: MeasuredChannels): void {
  const { clock, connectors, log } = stores;
  const read = shared(() => loadChannelOverview(stores));
  const add = (
    gauge: { readonly name: string; readonly help: string; readonly labelNames: readonly string[] },
    fill: (gauge: Gauge, channels: readonly ChannelOverview[]) => void,
  ) =>
    new Gauge({
      ...gauge,
      help: `${gauge.help} The same from every process.`,
      registers: [registry],
      async collect() {
        this.reset();
        await read().then(
          (channels) => fill(this, channels),
          (err: unknown) => log.warn({ err }, 'a store cannot be measured'),
        );
      },
    });
  for (const { name, help, of, together } of kindGauges) {
    add({ name, help, labelNames: ['channel'] }, (gauge, channels) => {
      const values = new Map(connectors.connectors.map(({ manifest }) => [manifest.channel, 0]));
      for (const { channel, backlog } of channels) {
        const known = values.get(channel.channel) ?? 0;
        values.set(channel.channel, together(known, of(backlog, clock.now())));
      }
      for (const [channel, value] of values) gauge.set({ channel }, value);
    });
  }
  const labelNames = ['channel', 'id'];
  const up = 'Whether a channel that is switched on is connected: 1 or 0.';
  add({ name: 'parley_channel_up', help: up, labelNames }, (gauge, channels) => {
    for (const { channel } of inUse(channels))
      gauge.set(labels(channel), channel.status === 'connected' ? 1 : 0);
  });
  const stale =
    'Whether a channel that is listened to was not heard of for two minutes (Discord: one and a half): 1 or 0.';
  add({ name: 'parley_channel_stale', help: stale, labelNames }, (gauge, channels) => {
    for (const { channel } of inUse(channels)) gauge.set(labels(channel), channel.isStale ? 1 : 0);
  });
}

function age(since: Date | null, now: Date): number {
  return since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000);
}

/** Who switched a channel off wants no alarm of it. */
function inUse(channels: readonly ChannelOverview[]): readonly ChannelOverview[] {
  return channels.filter(({ channel }) => channel.enabled);
}

function labels({ channel, id }: ChannelOverview['channel']) {
  return { channel, id };
}

/** All gauges are collected at once: they are filled from one reading. */
function shared<Result>(read: () => Promise<Result>): () => Promise<Result> {
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
