import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../../base/pagination.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { Database } from '../../storage/database.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { RetryableQueue } from '../queue-overview.ts';
import { wakeLanes } from './wake-lanes.ts';

/** A visitor's message without an answer, or a part of an answer that was not sent. */
export interface Failure {
  readonly number: string;
  readonly channelId: string;
  /** Null if no conversation was started. */
  readonly conversationId: string | null;
  readonly reason: string | null;
  readonly attempts: number;
  /** Time at which the message was received or the part queued. */
  readonly at: Date;
  /** False if the platform refused it permanently. */
  readonly isRetriable: boolean;
}

const positionSchema = z.string().regex(/^\d+$/);

/** Returns failures of one channel or of all, newest first. Throws `invalid_cursor`. */
export async function listFailures(
  database: Kysely<Tables>,
  name: RetryableQueue,
  { limit, cursor }: PageRequest,
  channelId: string | null = null,
): Promise<Page<Failure>> {
  const list = `failures ${name}${channelId === null ? '' : ` ${channelId}`}`;
  const before = cursor === undefined ? null : readCursor(list, cursor, positionSchema);
  const query = name === 'answer' ? selectUnanswered(database) : selectUnsent(database);
  const rows = await query
    .$if(channelId !== null, (query) => query.where('channelId', '=', channelId ?? ''))
    .$if(before !== null, (query) => query.where('number', '<', before ?? ''))
    .orderBy('number', 'desc')
    .limit(limit + 1)
    .execute();
  return cutPage<Failure>(rows, limit, ({ number }) => writeCursor(list, number));
}

function selectUnanswered(database: Kysely<Tables>) {
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

function selectUnsent(database: Kysely<Tables>) {
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

/**
 * Requeues failed messages or parts and returns their number. It backdates them by one minute, so that the sweep's
 * grace period does not delay them.
 */
async function requeueFailures(
  database: Kysely<Tables>,
  name: RetryableQueue,
  { now, channelId }: { readonly now: Date; readonly channelId: string | null },
): Promise<number> {
  const channelCondition = channelId === null ? sql`true` : sql`channel_id = ${channelId}`;
  const retried =
    name === 'answer'
      ? sql`update inbound_event set failure = null, attempts = 0, settled_at = clock_timestamp() - interval '1 minute'
            where failure is not null and handled_at is null and ${channelCondition}`
      : sql`update outbound_part set status = 'waiting', attempts = 0, next_attempt_at = ${now}::timestamptz - interval '1 minute'
            where status = 'dead' and ${channelCondition}`;
  const { numAffectedRows } = await retried.execute(database);
  return Number(numAffectedRows ?? 0n);
}

interface RetryDependencies {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Retries the failures of one channel, or of all channels if `channelId` is null, and wakes workers. Returns
 * their number. Throws `channel_not_found`.
 */
export async function retryFailures(
  { database: { kysely }, queue, clock, log }: RetryDependencies,
  name: RetryableQueue,
  channelId: string | null,
): Promise<number> {
  if (channelId !== null) {
    const channel = await kysely
      .selectFrom('channel')
      .select('id')
      .where('id', '=', channelId)
      .executeTakeFirst();
    if (channel === undefined) throw new AppError('channel_not_found');
  }
  const now = clock.now();
  const retried = await requeueFailures(kysely, name, { now, channelId });
  await wakeLanes(kysely, queue, { now, round: `retry-${now.getTime()}` }).catch((err: unknown) => {
    log.warn({ err }, 'waking workers failed');
  });
  return retried;
}
