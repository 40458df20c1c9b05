import type { Kysely } from 'kysely';
import type { Delivery, Memory } from '../contract/delivery.ts';
import { prepared } from '../storage/prepared.ts';
import type { Tables } from '../storage/tables.ts';
import { toStorableJson } from '../to-storable-json.ts';
import { leaseSeconds } from './lane-lease.ts';
import { type LaneWork, mostEvents, workOf } from './lane-work.ts';

export interface ReceivingChannel {
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

export interface StoredDeliveries {
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

const storing = prepared<Row>(`
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
  const rows = await storing(database, [
    ...[channel.id, channel.workspaceId, now],
    // A platform would tell what is not taken again and again, and be heard of nothing else.
    ...[toStorableJson(told), toStorableJson(memoriesOf(deliveries)), toStorableJson(takers)],
    ...[leaseSeconds, mostEvents],
  ]);
  const stored: StoredDelivery[] = [];
  const taken = new Map<string, LaneWork>();
  for (const { event_id, number, lane, settle_ms, work } of rows) {
    if (event_id !== null && number !== null) {
      stored.push({ eventId: event_id, number, lane, settleMs: settle_ms ?? 0 });
    }
    const waiting = workOf(work, now);
    if (waiting !== null) taken.set(lane, waiting);
  }
  return { stored, taken };
}

/** The last one of each key, in an order in which two processes never wait for one another. */
function memoriesOf(deliveries: readonly Delivery[]): readonly Memory[] {
  const last = new Map(
    deliveries.flatMap(({ remember = [] }) => remember.map((memory) => [memory.key, memory] as const)),
  );
  return [...last.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}
