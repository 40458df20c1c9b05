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

/** More than a burst holds; what is over comes next. */
const most = 50;

const json = z.json();

/** What came in a lane and was not handled, oldest first. */
export async function waitingEvents(
  database: Kysely<Tables>,
  { channelId, lane }: LaneKey,
): Promise<readonly WaitingEvent[]> {
  const rows = await database
    .selectFrom('inbound_event')
    .select(['number', 'native', 'attempts', 'received_at'])
    .select(
      sql<number>`greatest(0, extract(epoch from settled_at - clock_timestamp()) * 1000)::float8`.as(
        'wait_ms',
      ),
    )
    .where('channel_id', '=', channelId)
    .where('lane', '=', lane)
    .where('handled_at', 'is', null)
    .where('failure', 'is', null)
    .orderBy('number')
    .limit(most)
    .execute();
  return rows.map(({ number, native, wait_ms, attempts, received_at }) => ({
    number,
    native: json.parse(native),
    waitMs: Math.ceil(wait_ms),
    attempts,
    receivedAt: received_at,
  }));
}
