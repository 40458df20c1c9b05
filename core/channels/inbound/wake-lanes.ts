import { type Kysely, sql } from 'kysely';
import { runInBackground } from '../../base/async.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { LaneKey } from './lane.ts';

interface Wake {
  readonly name: 'answer' | 'deliver';
  /** Id of the job. A lane is woken once for each id. */
  readonly id: string;
  readonly key: LaneKey;
  readonly delayMs?: number;
}

interface WakeDependencies {
  readonly queue: Pick<JobQueue, 'add'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** For longer delays the queue's own timing is exact enough. */
const MAX_TIMER_MS = 60_000;

/**
 * Wakes a worker for a lane, now or after a delay. An idle worker may see a delayed job late, so this process
 * also wakes one at the exact time while it is alive. Never throws: the sweep wakes lanes that were missed.
 */
export async function wakeLane(
  { queue, log }: WakeDependencies,
  { name, id, key: { channelId, lane }, delayMs = 0 }: Wake,
): Promise<void> {
  const add = async (job: string, options?: { readonly delayMs: number }) => {
    try {
      await queue.add(name, `${channelId}-${job}`, { channelId, lane }, options);
    } catch (err) {
      // Redis is unreachable, which its connection logs already. Another line per message would flood the log.
      if (err instanceof AppError && err.code === 'upstream_timeout') return;
      log.warn({ err, channel: channelId }, 'waking a worker failed');
    }
  };
  await add(id, { delayMs });
  if (delayMs === 0 || delayMs > MAX_TIMER_MS) return;
  const addNow = () => runInBackground(add(`${id}-now`), (err) => log.warn({ err }, 'lane wake-up failed'));
  setTimeout(addNow, delayMs).unref();
}

/** Same as `wakeLane`, for callers that do not wait for the queue. */
export function wakeLaneInBackground(dependencies: WakeDependencies, wake: Wake): void {
  runInBackground(wakeLane(dependencies, wake), (err) =>
    dependencies.log.warn({ err }, 'lane wake-up failed'),
  );
}

interface Lane {
  readonly channel_id: string;
  readonly lane: string;
  readonly number: string;
}

/** Batch size. The rest follows in the next sweep. */
const BATCH_SIZE = 500;
/** Grace period: recent events are already being processed. */
const graceSeconds = 5;
/**
 * Round robin over the channels, so that a channel with more lanes than one sweep wakes does not starve the
 * others.
 */
const roundRobinOrder = (channel: string, number: string) =>
  sql`row_number() over (partition by ${sql.ref(channel)} order by min(${sql.ref(number)})), 3`;
/** Excludes disabled channels and channels whose parent is disabled. */
const channelEnabledSql = sql`channel.enabled and not exists (
  select from channel parent where parent.id = channel.parent_id and not parent.enabled
)`;

const laneFreeSql = sql`(lane.holder is null or lane.held_until < clock_timestamp())`;

interface Round {
  readonly now: Date;
  /** Distinguishes the job ids of this sweep from those of others. */
  readonly round: string;
  /** First sweep after the start: no grace period, because no earlier job can still be running. */
  readonly isFirst?: boolean;
}

/** Wakes workers for unhandled events and unsent parts, whatever happened to their jobs. */
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
      and ${laneFreeSql}
    group by 1, 2 order by ${roundRobinOrder('inbound_event.channel_id', 'inbound_event.number')} limit ${BATCH_SIZE}
  `.execute(database);
  const unsent = await sql<Lane>`
    select outbound_part.channel_id, outbound_part.lane, min(outbound_part.number) as number from outbound_part
    join lane on lane.channel_id = outbound_part.channel_id and lane.lane = outbound_part.lane
    join channel on channel.id = lane.channel_id and ${channelEnabledSql}
    where outbound_part.status = 'waiting' and outbound_part.next_attempt_at < ${now}::timestamptz - ${grace}
      and ${laneFreeSql}
    group by 1, 2 order by ${roundRobinOrder('outbound_part.channel_id', 'outbound_part.number')} limit ${BATCH_SIZE}
  `.execute(database);
  const wake = async (name: 'answer' | 'deliver', { channel_id, lane, number }: Lane) =>
    queue.add(name, `${channel_id}-${number}-${round}`, { channelId: channel_id, lane });
  for (const lane of unanswered.rows) await wake('answer', lane);
  for (const lane of unsent.rows) await wake('deliver', lane);
}
