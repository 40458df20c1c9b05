import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Delivery, Memory } from '../contract/delivery.ts';
import type { Logger } from '../log.ts';
import type { JobQueue } from '../queue/queue.ts';
import { prepared } from '../storage/prepared.ts';
import type { Tables } from '../storage/tables.ts';
import { toStorableJson } from '../to-storable-json.ts';
import { wakeLane } from './wake-lane.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, 'add'>;
  readonly log: Logger;
}

export interface ReceivingChannel {
  readonly id: string;
  readonly workspaceId: string;
}

/**
 * Stores what a platform told, each delivery once however often it comes, and wakes a worker for it. Resolves when it
 * cannot be lost any more, with those that are new: a worker that could not be woken is woken by the housekeeping.
 */
export async function receiveDeliveries(
  { database, clock, queue, log }: Dependencies,
  channel: ReceivingChannel,
  deliveries: readonly Delivery[],
): Promise<readonly Delivery[]> {
  if (deliveries.length === 0) return [];
  const now = clock.now();
  const stored = await store(database, { channel, deliveries, now });
  // The platform is answered as soon as its events are stored, and before anything else is done.
  setImmediate(() => {
    for (const { lane, number, settle_ms } of stored) {
      const key = { channelId: channel.id, lane };
      void wakeLane({ queue, log }, { name: 'answer', id: number, key, delayMs: Math.ceil(settle_ms) });
    }
  });
  const fresh = new Set(stored.map(({ event_id }) => event_id));
  return deliveries.filter(({ id }) => fresh.has(id));
}

interface StoredDelivery {
  readonly event_id: string;
  readonly number: string;
  readonly lane: string;
  readonly settle_ms: number;
}

const storing = prepared<StoredDelivery>(`
  with told as (
    select ordinality, event_id, lane, native,
           case when first_settle_ms > settle_ms
                     and (select true from lane where channel_id = $3::text and lane.lane = told.lane) is null
                then first_settle_ms else settle_ms end as settle_ms
    from rows from (jsonb_to_recordset($1::jsonb)
      as (event_id text, lane text, native jsonb, settle_ms integer, first_settle_ms integer)) with ordinality
      as told (event_id, lane, native, settle_ms, first_settle_ms, ordinality)
  ), lanes as (
    insert into lane (channel_id, lane, workspace_id)
    select distinct $3::text, lane, $4::text from told order by lane
    on conflict do nothing
  ), remembered as (
    insert into channel_memory (channel_id, key, value, at)
    select $3::text, key, value, $5::timestamptz
    from jsonb_to_recordset($2::jsonb) as told (key text, value jsonb)
    on conflict (channel_id, key) do update set value = excluded.value, at = excluded.at
  )
  insert into inbound_event (channel_id, workspace_id, event_id, lane, native, received_at, settled_at)
  select $3::text, $4::text, event_id, lane, native, $5::timestamptz,
         clock_timestamp() + settle_ms * interval '1 millisecond'
  from told order by ordinality
  on conflict (channel_id, event_id) do nothing
  returning event_id, number, lane, greatest(0, extract(epoch from settled_at - clock_timestamp()) * 1000)::float8 as settle_ms
`);

async function store(
  database: Kysely<Tables>,
  {
    channel,
    deliveries,
    now,
  }: {
    readonly channel: ReceivingChannel;
    readonly deliveries: readonly Delivery[];
    readonly now: Date;
  },
): Promise<readonly StoredDelivery[]> {
  const rows = deliveries.map(({ id, lane, native, settleMs = 0, settleIfFirstMs = 0 }) => ({
    event_id: id,
    lane,
    native,
    settle_ms: settleMs,
    first_settle_ms: settleIfFirstMs,
  }));
  const values = [
    // A platform would tell what is not taken again and again, and be heard of nothing else.
    ...[toStorableJson(rows), toStorableJson(memoriesOf(deliveries))],
    ...[channel.id, channel.workspaceId, now],
  ];
  return storing(database, values);
}

/** The last one of each key, in an order in which two processes never wait for one another. */
function memoriesOf(deliveries: readonly Delivery[]): readonly Memory[] {
  const last = new Map(
    deliveries.flatMap(({ remember = [] }) => remember.map((memory) => [memory.key, memory] as const)),
  );
  return [...last.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}
