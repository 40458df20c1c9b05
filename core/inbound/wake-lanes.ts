import { type Kysely, sql } from 'kysely';
import { runInBackground } from '../async.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { LaneKey } from './lane.ts';

interface Wake {
  readonly name: 'answer' | 'deliver';
  /** Of the job: a lane is woken once for each. */
  readonly id: string;
  readonly key: LaneKey;
  readonly delayMs?: number;
}

interface Waking {
  readonly queue: Pick<JobQueue, 'add'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Longer waits are as exact as they have to be by the queue's own clock. */
const exactTimerMs = 60_000;

/**
 * Wakes a worker for a lane, now or after a while. A worker that has nothing to do may hear late of a job that was put
 * off, so this process wakes one at the right moment as well, as long as it lives. Never fails: what is missed the sweep
 * wakes.
 */
export async function wakeLane(
  { queue, log }: Waking,
  { name, id, key: { channelId, lane }, delayMs = 0 }: Wake,
): Promise<void> {
  const add = async (job: string, options?: { readonly delayMs: number }) => {
    try {
      await queue.add(name, `${channelId}-${job}`, { channelId, lane }, options);
    } catch (err) {
      // Redis is away, and its connection says so: there would be a line for each message.
      if (err instanceof AppError && err.code === 'upstream_timeout') return;
      log.warn({ err, channel: channelId }, 'a worker could not be woken: it will be within a minute');
    }
  };
  await add(id, { delayMs });
  if (delayMs === 0 || delayMs > exactTimerMs) return;
  const addNow = () => runInBackground(add(`${id}-now`), (err) => log.warn({ err }, 'lane wake-up failed'));
  setTimeout(addNow, delayMs).unref();
}

/** The same for a caller that does not wait until the job is in the queue. */
export function wakeLaneInBackground(waking: Waking, wake: Wake): void {
  runInBackground(wakeLane(waking, wake), (err) => waking.log.warn({ err }, 'lane wake-up failed'));
}

interface Lane {
  readonly channel_id: string;
  readonly lane: string;
  readonly number: string;
}

/** So many at once: what is still left comes with the next round. */
const most = 500;
/** What came just now is on its way. */
const graceSeconds = 5;
/** Channels by turns: one that has more lanes than a round wakes, and cannot work in them, keeps no other from being woken. */
const turn = (channel: string, number: string) =>
  sql`row_number() over (partition by ${sql.ref(channel)} order by min(${sql.ref(number)})), 3`;
/** And so is the one whose app it shares. */
const channelEnabledSql = sql`channel.enabled and not exists (
  select from channel parent where parent.id = channel.parent_id and not parent.enabled
)`;

interface Round {
  readonly now: Date;
  /** Tells one call from the next. */
  readonly round: string;
  /** Of a process that has only begun: what came before it is on nobody's way. */
  readonly isFirst?: boolean;
}

/**
 * Wakes workers for what came and was never picked up, and for what is to be sent and was not: whatever became of the
 * jobs.
 */
export async function wakeLanes(
  database: Kysely<Tables>,
  queue: Pick<JobQueue, 'add'>,
  { now, round, isFirst = false }: Round,
): Promise<void> {
  const grace = sql`make_interval(secs => ${isFirst ? 0 : graceSeconds})`;
  const unanswered = await sql<Lane>`
    select inbound_event.channel_id, inbound_event.lane, min(inbound_event.number) as number from inbound_event
    join lane on lane.channel_id = inbound_event.channel_id and lane.lane = inbound_event.lane
    join channel on channel.id = lane.channel_id and ${channelEnabledSql}
    where inbound_event.handled_at is null and inbound_event.failure is null
      and inbound_event.settled_at < clock_timestamp() - ${grace}
      and (lane.answering is null or lane.answering_until < clock_timestamp())
    group by 1, 2 order by ${turn('inbound_event.channel_id', 'inbound_event.number')} limit ${most}
  `.execute(database);
  const unsent = await sql<Lane>`
    select outbound_part.channel_id, outbound_part.lane, min(outbound_part.number) as number from outbound_part
    join lane on lane.channel_id = outbound_part.channel_id and lane.lane = outbound_part.lane
    join channel on channel.id = lane.channel_id and ${channelEnabledSql}
    where outbound_part.status = 'waiting' and outbound_part.next_attempt_at < ${now}::timestamptz - ${grace}
      and (lane.sending is null or lane.sending_until < clock_timestamp())
    group by 1, 2 order by ${turn('outbound_part.channel_id', 'outbound_part.number')} limit ${most}
  `.execute(database);
  const wake = async (name: 'answer' | 'deliver', { channel_id, lane, number }: Lane) =>
    queue.add(name, `${channel_id}-${number}-${round}`, { channelId: channel_id, lane });
  for (const lane of unanswered.rows) await wake('answer', lane);
  for (const lane of unsent.rows) await wake('deliver', lane);
}
