import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Delivery, RememberedValue } from '../contract/inbound.ts';
import type { Logger } from '../log.ts';
import type { LocalSlot } from '../queue/local-worker.ts';
import type { JobQueue } from '../queue/queue.ts';
import { MicroBatcher } from '../storage/micro-batcher.ts';
import { prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { stringifyStorable } from '../text.ts';
import { leaseSeconds } from './lane.ts';
import { type LaneHandover, type LaneWork, maxEvents, parseLaneWork } from './lane-work.ts';
import { wakeLaneInBackground } from './wake-lanes.ts';

type Receive = (channel: ReceivingChannel, deliveries: readonly Delivery[]) => Promise<readonly Delivery[]>;

/**
 * Stores what a channel is told while something of it is being stored in one go: each commit waits for the disk, and fifty
 * requests at once would wait for one another's.
 */
export class DeliveryBatcher {
  readonly #together: MicroBatcher<ReceivingChannel, readonly Delivery[], Delivery[]>;

  constructor(receive: Receive) {
    this.#together = new MicroBatcher({
      nameOf: ({ id }) => id,
      run: async (channel, told) => {
        const fresh = new Set(await receive(channel, told.flat()));
        return (deliveries) => deliveries.filter((delivery) => fresh.has(delivery));
      },
      thenAlone: 'in order',
    });
  }

  /** Resolves with those that are new, when they cannot be lost any more. */
  add(channel: ReceivingChannel, deliveries: readonly Delivery[]): Promise<readonly Delivery[]> {
    return this.#together.add(channel, deliveries);
  }
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, 'add' | 'reserve'>;
  readonly takenLanes: LaneHandover;
  readonly log: Logger;
}

/** Where more come at once they are stored first: others would wait for what is done in their lanes. */
const most = 4;

/**
 * Stores what a platform told, each delivery once however often it comes, and has it answered: here where there is room,
 * else by a worker that is woken for it. Resolves when it cannot be lost any more, with those that are new: a worker that
 * could not be woken is woken by the housekeeping.
 */
export async function receiveDeliveries(
  dependencies: Dependencies,
  channel: ReceivingChannel,
  deliveries: readonly Delivery[],
): Promise<readonly Delivery[]> {
  if (deliveries.length === 0) return [];
  const { database, clock, queue } = dependencies;
  const places = reserveSlots(queue, channel, deliveries);
  try {
    const now = clock.now();
    const takers = [...places].map(([lane, { token }]) => ({ lane, token }));
    const told = await storeDeliveries(database, { channel, deliveries, takers, now });
    for (const [lane, { token, begin }] of places) {
      const work = told.taken.get(lane);
      if (work === undefined) continue;
      const key = { channelId: channel.id, lane };
      dependencies.takenLanes.put(key, { token, work });
      begin({ id: token, payload: key });
      places.delete(lane);
    }
    // The platform is answered as soon as its events are stored, and before anything else is done.
    setImmediate(() => wakeOthers(dependencies, channel, told));
    const fresh = new Set(told.stored.map(({ eventId }) => eventId));
    return deliveries.filter(({ id }) => fresh.has(id));
  } finally {
    for (const { leave } of places.values()) leave();
  }
}

interface LaneSlot extends LocalSlot {
  /** Shows that the lane is held. */
  readonly token: string;
}

/** By lane: for what is whole as it comes, as far as there is room for it here. */
function reserveSlots(
  queue: Pick<JobQueue, 'reserve'>,
  { id }: ReceivingChannel,
  deliveries: readonly Delivery[],
): Map<string, LaneSlot> {
  const places = new Map<string, LaneSlot>();
  if (deliveries.length > most) return places;
  for (const { lane, settleMs = 0, settleIfFirstMs = 0 } of deliveries) {
    if (places.has(lane) || Math.max(settleMs, settleIfFirstMs) > 0) continue;
    const place = queue.reserve('answer', id);
    if (place === null) break;
    places.set(lane, { ...place, token: randomUUID() });
  }
  return places;
}

function wakeOthers(
  dependencies: Pick<Dependencies, 'queue' | 'log'>,
  channel: ReceivingChannel,
  { stored, taken }: StoredDeliveries,
): void {
  for (const { lane, number, settleMs } of stored) {
    if (taken.has(lane)) continue;
    const key = { channelId: channel.id, lane };
    wakeLaneInBackground(dependencies, { name: 'answer', id: number, key, delayMs: Math.ceil(settleMs) });
  }
}

interface ReceivingChannel {
  readonly id: string;
  readonly workspaceId: string;
}

interface Storing {
  readonly channel: ReceivingChannel;
  readonly deliveries: readonly Delivery[];
  /** Of lanes that are to be taken to answer in them, where nobody has them. */
  readonly takers: readonly { readonly lane: string; readonly token: string }[];
  readonly now: Date;
}

interface StoredDelivery {
  readonly eventId: string;
  readonly number: string;
  readonly lane: string;
  /** Until it is whole. */
  readonly settleMs: number;
}

interface StoredDeliveries {
  /** Those that are new. */
  readonly stored: readonly StoredDelivery[];
  /** What waits in the lanes that are held from then on. */
  readonly taken: ReadonlyMap<string, LaneWork>;
}

/** Of a delivery, or of a lane that was taken: then all but its name and its work is null. */
interface Row {
  readonly event_id: string | null;
  readonly number: string | null;
  readonly lane: string;
  readonly settle_ms: number | null;
  readonly work: unknown;
}

const storeSql = prepareStatement<Row>(`
  select event_id, number, lane, settle_ms, work
  from receive_deliveries($1, $2, $3, $4, $5, $6, make_interval(secs => $7), $8)
`);

/** Stores what is new of that, and takes lanes to answer in them, in one transaction. */
export async function storeDeliveries(
  database: Kysely<Tables>,
  { channel, deliveries, takers, now }: Storing,
): Promise<StoredDeliveries> {
  const told = deliveries.map(({ id, lane, native, settleMs = 0, settleIfFirstMs = 0 }) => ({
    event_id: id,
    lane,
    native,
    settle_ms: settleMs,
    first_settle_ms: settleIfFirstMs,
  }));
  const rows = await storeSql(database, [
    ...[channel.id, channel.workspaceId, now],
    // A platform would tell what is not taken again and again, and be heard of nothing else.
    ...[stringifyStorable(told), stringifyStorable(toRememberedRows(deliveries)), stringifyStorable(takers)],
    ...[leaseSeconds, maxEvents],
  ]);
  const stored: StoredDelivery[] = [];
  const taken = new Map<string, LaneWork>();
  for (const { event_id, number, lane, settle_ms, work } of rows) {
    if (event_id !== null && number !== null) {
      stored.push({ eventId: event_id, number, lane, settleMs: settle_ms ?? 0 });
    }
    const waiting = parseLaneWork(work, now);
    if (waiting !== null) taken.set(lane, waiting);
  }
  return { stored, taken };
}

/** The last one of each key, in an order in which two processes never wait for one another. */
function toRememberedRows(deliveries: readonly Delivery[]): readonly RememberedValue[] {
  const last = new Map(
    deliveries.flatMap(({ remember = [] }) => remember.map((memory) => [memory.key, memory] as const)),
  );
  return [...last.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}
