import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { stringifyStorable } from '../../base/text.ts';
import type { Delivery, RememberedValue } from '../../contract/inbound.ts';
import type { LocalSlot } from '../../queue/local-worker.ts';
import type { JobQueue } from '../../queue/queue.ts';
import { MicroBatcher } from '../../storage/micro-batcher.ts';
import { prepareStatement } from '../../storage/prepared-statements.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { leaseSeconds } from './lane.ts';
import { type LaneHandover, type LaneWork, maxEvents, parseLaneWork } from './lane-work.ts';
import { wakeLaneInBackground } from './wake-lanes.ts';

type Receive = (channel: ReceivingChannel, deliveries: readonly Delivery[]) => Promise<readonly Delivery[]>;

/**
 * Batches the deliveries of a channel that arrive while a batch is being stored: each commit waits for the
 * disk, and fifty concurrent requests would wait for each other's commits.
 */
export class DeliveryBatcher {
  readonly #batcher: MicroBatcher<ReceivingChannel, readonly Delivery[], Delivery[]>;

  constructor(receive: Receive) {
    this.#batcher = new MicroBatcher({
      nameOf: ({ id }) => id,
      run: async (channel, batch) => {
        const fresh = new Set(await receive(channel, batch.flat()));
        return (deliveries) => deliveries.filter((delivery) => fresh.has(delivery));
      },
      thenAlone: 'in order',
    });
  }

  /** Resolves with the new deliveries when they are stored durably. */
  add(channel: ReceivingChannel, deliveries: readonly Delivery[]): Promise<readonly Delivery[]> {
    return this.#batcher.add(channel, deliveries);
  }
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, 'add' | 'reserve'>;
  readonly laneHandover: LaneHandover;
  readonly log: Logger;
}

/**
 * Larger batches are stored without answering in this process first, because other requests would wait for the
 * work in their lanes.
 */
const MAX_LOCAL_DELIVERIES = 4;

/**
 * Stores deliveries, each once even if the platform repeats it, and starts their answers: in this process if a
 * slot is free, otherwise by waking a worker. Resolves with the new deliveries when they are stored durably. If
 * waking fails, the sweep wakes the lane.
 */
export async function receiveDeliveries(
  dependencies: Dependencies,
  channel: ReceivingChannel,
  deliveries: readonly Delivery[],
): Promise<readonly Delivery[]> {
  if (deliveries.length === 0) return [];
  const { database, clock, queue } = dependencies;
  const slots = reserveSlots(queue, channel, deliveries);
  try {
    const now = clock.now();
    const leaseRequests = [...slots].map(([lane, { token }]) => ({ lane, token }));
    const stored = await storeDeliveries(database, { channel, deliveries, leaseRequests, now });
    for (const [lane, { token, begin }] of slots) {
      const work = stored.leased.get(lane);
      if (work === undefined) continue;
      const key = { channelId: channel.id, lane };
      dependencies.laneHandover.put(key, { token, work });
      begin({ id: token, payload: key });
      slots.delete(lane);
    }
    // Deferred, so that the platform gets its acknowledgement as soon as the events are stored.
    setImmediate(() => wakeRemainingLanes(dependencies, channel, stored));
    const fresh = new Set(stored.stored.map(({ eventId }) => eventId));
    return deliveries.filter(({ id }) => fresh.has(id));
  } finally {
    for (const { leave } of slots.values()) leave();
  }
}

interface LaneSlot extends LocalSlot {
  /** Token of the lease. */
  readonly token: string;
}

/**
 * Reserves slots of this process, by lane, for deliveries that are complete at once, as far as slots are free.
 */
function reserveSlots(
  queue: Pick<JobQueue, 'reserve'>,
  { id }: ReceivingChannel,
  deliveries: readonly Delivery[],
): Map<string, LaneSlot> {
  const slots = new Map<string, LaneSlot>();
  if (deliveries.length > MAX_LOCAL_DELIVERIES) return slots;
  for (const { lane, settleMs = 0, settleIfFirstMs = 0 } of deliveries) {
    if (slots.has(lane) || Math.max(settleMs, settleIfFirstMs) > 0) continue;
    const slot = queue.reserve('answer', id);
    if (slot === null) break;
    slots.set(lane, { ...slot, token: randomUUID() });
  }
  return slots;
}

function wakeRemainingLanes(
  dependencies: Pick<Dependencies, 'queue' | 'log'>,
  channel: ReceivingChannel,
  { stored, leased }: StoredDeliveries,
): void {
  for (const { lane, number, settleMs } of stored) {
    if (leased.has(lane)) continue;
    const key = { channelId: channel.id, lane };
    wakeLaneInBackground(dependencies, { name: 'answer', id: number, key, delayMs: Math.ceil(settleMs) });
  }
}

interface ReceivingChannel {
  readonly id: string;
  readonly workspaceId: string;
}

interface StoreRequest {
  readonly channel: ReceivingChannel;
  readonly deliveries: readonly Delivery[];
  /** Lanes whose leases are acquired while storing, if they are free. */
  readonly leaseRequests: readonly { readonly lane: string; readonly token: string }[];
  readonly now: Date;
}

interface StoredDelivery {
  readonly eventId: string;
  readonly number: string;
  readonly lane: string;
  /** Time until the delivery is complete. */
  readonly settleMs: number;
}

interface StoredDeliveries {
  /** The new deliveries. */
  readonly stored: readonly StoredDelivery[];
  /** Work of the lanes whose leases were acquired. */
  readonly leased: ReadonlyMap<string, LaneWork>;
}

/** A delivery or an acquired lane. For a lane, all columns but `lane` and `work` are null. */
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

/** Stores the new deliveries and acquires lane leases in one transaction. */
export async function storeDeliveries(
  database: Kysely<Tables>,
  { channel, deliveries, leaseRequests, now }: StoreRequest,
): Promise<StoredDeliveries> {
  const events = deliveries.map(({ id, lane, native, settleMs = 0, settleIfFirstMs = 0 }) => ({
    event_id: id,
    lane,
    native,
    settle_ms: settleMs,
    first_settle_ms: settleIfFirstMs,
  }));
  const rows = await storeSql(database, [
    ...[channel.id, channel.workspaceId, now],
    // Storable JSON only: the platform would repeat a delivery that the database rejects, and send nothing
    // else.
    ...[
      stringifyStorable(events),
      stringifyStorable(toRememberedRows(deliveries)),
      stringifyStorable(leaseRequests.map(({ lane, token }) => ({ lane, holder: token }))),
    ],
    ...[leaseSeconds, maxEvents],
  ]);
  const stored: StoredDelivery[] = [];
  const leased = new Map<string, LaneWork>();
  for (const { event_id, number, lane, settle_ms, work } of rows) {
    if (event_id !== null && number !== null) {
      stored.push({ eventId: event_id, number, lane, settleMs: settle_ms ?? 0 });
    }
    const waiting = parseLaneWork(work, now);
    if (waiting !== null) leased.set(lane, waiting);
  }
  return { stored, leased };
}

/** Returns the last value of each key, in a fixed order so that two processes do not deadlock. */
function toRememberedRows(deliveries: readonly Delivery[]): readonly RememberedValue[] {
  const last = new Map(
    deliveries.flatMap(({ remember = [] }) => remember.map((memory) => [memory.key, memory] as const)),
  );
  return [...last.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}
