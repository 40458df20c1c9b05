import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { MediaReadings } from '../../answering/media/read-attachments.ts';
import type { Delivery } from '../../contract/inbound.ts';
import { batchRows, type TaskContext } from '../../storage/maintenance-task.ts';
import type { Tables } from '../../storage/tables/tables.ts';

interface PostponedEvents {
  readonly channelId: string;
  readonly numbers: readonly string[];
  /** Failed attempts, with the last one. */
  readonly attempts: number;
  /** Null while the events are tried again. */
  readonly failure: string | null;
  readonly pauseMs: number;
}

/** Stores a failed attempt. The events are not tried again before the pause is over. */
export async function postponeEvents(
  database: Kysely<Tables>,
  { channelId, numbers, attempts, failure, pauseMs }: PostponedEvents,
): Promise<void> {
  await sql`
    update inbound_event
    set attempts = ${attempts}, failure = ${failure},
        settled_at = clock_timestamp() + ${pauseMs} * interval '1 millisecond'
    where channel_id = ${channelId} and number = any(${[...numbers]}::bigint[])
  `.execute(database);
}

const readingsSchema = z.record(
  z.string(),
  z.object({ transcript: z.string().exactOptional(), description: z.string().exactOptional() }),
);

interface TurnEvents {
  readonly channelId: string;
  readonly numbers: readonly string[];
}

/** Returns the readings of the files of a turn, by file reference. */
export async function loadReadings(
  database: Kysely<Tables>,
  { channelId, numbers }: TurnEvents,
): Promise<MediaReadings> {
  const rows = await database
    .selectFrom('inbound_event')
    .select('media_readings')
    .where('channel_id', '=', channelId)
    .where('number', 'in', [...numbers])
    .where('media_readings', 'is not', null)
    .execute();
  return Object.assign({}, ...rows.map(({ media_readings }) => readingsSchema.parse(media_readings)));
}

/** Stores the readings of a turn's files. All are stored with the first event: the events of a turn are handled together. */
export async function storeReadings(
  database: Kysely<Tables>,
  { channelId, numbers: [first] }: TurnEvents,
  readings: MediaReadings,
): Promise<void> {
  if (first === undefined) return;
  await database
    .updateTable('inbound_event')
    .set({ media_readings: JSON.stringify(readings) })
    .where('channel_id', '=', channelId)
    .where('number', '=', first)
    .where('handled_at', 'is', null)
    .execute();
}

/** Returns the number of the event that a delivery was stored as. */
export async function findEventNumber(
  database: Kysely<Tables>,
  channelId: string,
  { id }: Delivery,
): Promise<string> {
  const { number } = await database
    .selectFrom('inbound_event')
    .select('number')
    .where('channel_id', '=', channelId)
    .where('event_id', '=', id)
    .executeTakeFirstOrThrow();
  return number;
}

/** Longer than any platform repeats a delivery. */
const EVENT_RETENTION_DAYS = 2;

/** Deletes handled events. Until then their ids serve to detect duplicates. */
export async function purgeEvents({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - EVENT_RETENTION_DAYS * 24 * 3_600_000);
  const { numAffectedRows } = await sql`
    delete from inbound_event where number in (
      select number from inbound_event
      where handled_at < ${before}
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}
