import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Json } from '../contract/json.ts';
import type { Tables } from '../storage/tables.ts';
import type { LaneKey } from './lane-key.ts';

export interface WaitingEvent {
  readonly number: string;
  readonly native: Json;
  /** Until it is whole, or may be tried again; 0 for now. By the database's clock, as all that decides about it. */
  readonly waitMs: number;
  readonly attempts: number;
  readonly receivedAt: Date;
}

/** What came in a lane and was not handled, oldest first, whether we take part in its conversation, and may speak in it. */
export interface WaitingEvents {
  readonly events: readonly WaitingEvent[];
  readonly isJoined: boolean;
  readonly isOptedOut: boolean;
}

/** More than a burst holds; what is over comes next. */
const most = 50;

const json = z.json();

export async function waitingEvents(
  database: Kysely<Tables>,
  { channelId, lane }: LaneKey,
): Promise<WaitingEvents> {
  const rows = await database
    .selectFrom('inbound_event')
    .innerJoin('lane', (join) =>
      join
        .onRef('lane.channel_id', '=', 'inbound_event.channel_id')
        .onRef('lane.lane', '=', 'inbound_event.lane'),
    )
    .select(['number', 'native', 'attempts', 'received_at', 'conversation_id', 'opted_out'])
    .select(
      sql<number>`greatest(0, extract(epoch from settled_at - clock_timestamp()) * 1000)::float8`.as(
        'wait_ms',
      ),
    )
    .where('inbound_event.channel_id', '=', channelId)
    .where('inbound_event.lane', '=', lane)
    .where('handled_at', 'is', null)
    .where('failure', 'is', null)
    .orderBy('number')
    .limit(most)
    .execute();
  return {
    events: rows.map(({ number, native, wait_ms, attempts, received_at }) => ({
      number,
      native: json.parse(native),
      waitMs: Math.ceil(wait_ms),
      attempts,
      receivedAt: received_at,
    })),
    isJoined: rows.some(({ conversation_id }) => conversation_id !== null),
    isOptedOut: rows.some(({ opted_out }) => opted_out),
  };
}
