import type { Kysely } from 'kysely';
import { z } from 'zod';
import { readCursor, writeCursor } from '../cursor.ts';
import { cutPage, type Page, type PageRequest } from '../pagination.ts';
import type { Tables } from '../storage/tables.ts';
import type { KeptQueue } from './kept-queue.ts';

/** A message that was given no answer, or a part of an answer that was not sent. */
export interface Failure {
  readonly number: string;
  readonly channelId: string;
  /** Null where none had begun. */
  readonly conversationId: string | null;
  readonly reason: string | null;
  readonly attempts: number;
  /** When it came, or was written. */
  readonly at: Date;
  /** False: the platform will never take it. */
  readonly isRetriable: boolean;
}

const positionSchema = z.string().regex(/^\d+$/);

/** What was given up, the last that came first. Throws `invalid_cursor`. */
export async function listFailures(
  database: Kysely<Tables>,
  name: KeptQueue,
  { limit, cursor }: PageRequest,
): Promise<Page<Failure>> {
  const list = `failures ${name}`;
  const before = cursor === undefined ? null : readCursor(list, cursor, positionSchema);
  const query = name === 'answer' ? unanswerable(database) : unsent(database);
  const rows = await query
    .$if(before !== null, (wanted) => wanted.where('number', '<', before ?? ''))
    .orderBy('number', 'desc')
    .limit(limit + 1)
    .execute();
  return cutPage<Failure>(rows, limit, ({ number }) => writeCursor(list, number));
}

function unanswerable(database: Kysely<Tables>) {
  const failures = database
    .selectFrom('inbound_event')
    .leftJoin('lane', (join) =>
      join
        .onRef('lane.channel_id', '=', 'inbound_event.channel_id')
        .onRef('lane.lane', '=', 'inbound_event.lane'),
    )
    .where('inbound_event.failure', 'is not', null)
    .where('inbound_event.handled_at', 'is', null)
    .select((row) => [
      'inbound_event.number',
      'inbound_event.channel_id as channelId',
      'lane.conversation_id as conversationId',
      'inbound_event.failure as reason',
      'inbound_event.attempts',
      'inbound_event.received_at as at',
      row.lit(true).as('isRetriable'),
    ]);
  return database.selectFrom(failures.as('failures')).selectAll();
}

function unsent(database: Kysely<Tables>) {
  const failures = database
    .selectFrom('outbound_part')
    .where('status', 'in', ['dead', 'failed'])
    .select((row) => [
      'number',
      'channel_id as channelId',
      row.ref('conversation_id').$castTo<string | null>().as('conversationId'),
      'failure as reason',
      'attempts',
      'created_at as at',
      row('status', '=', 'dead').$castTo<boolean>().as('isRetriable'),
    ]);
  return database.selectFrom(failures.as('failures')).selectAll();
}
