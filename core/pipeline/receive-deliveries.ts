import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { Logger } from '../log.ts';
import type { NearPlace } from '../queue/near-worker.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Tables } from '../storage/tables.ts';
import { type ReceivingChannel, type StoredDeliveries, storeDeliveries } from './store-deliveries.ts';
import type { TakenLanes } from './taken-lanes.ts';
import { wakeLaneInBackground } from './wake-lane.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, 'add' | 'reserve'>;
  readonly takenLanes: TakenLanes;
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
  const places = reservePlaces(queue, channel, deliveries);
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

interface LanePlace extends NearPlace {
  /** Shows that the lane is held. */
  readonly token: string;
}

/** By lane: for what is whole as it comes, as far as there is room for it here. */
function reservePlaces(
  queue: Pick<JobQueue, 'reserve'>,
  { id }: ReceivingChannel,
  deliveries: readonly Delivery[],
): Map<string, LanePlace> {
  const places = new Map<string, LanePlace>();
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
