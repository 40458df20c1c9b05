import { type Kysely, sql } from 'kysely';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { loadIndexBacklogs } from '../knowledge/indexing/index-backlog.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Database } from '../storage/database.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { ChannelView } from './channel-view.ts';
import type { Channels } from './channels.ts';

export interface QueueOverview {
  /** Null if the queue does not respond. */
  readonly queues: Awaited<ReturnType<JobQueue['depths']>> | null;
  readonly channels: readonly ChannelOverview[];
  /** The backlog of each workspace with documents that wait for the index. */
  readonly indexing: Awaited<ReturnType<typeof loadIndexBacklogs>>;
}

interface OverviewDependencies {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly channels: Channels;
  readonly log: Logger;
}

/** Loads the overview for operators: queue depths and the backlog of each channel. */
export async function loadQueueOverview(runtime: OverviewDependencies): Promise<QueueOverview> {
  const [queues, channels, indexing] = await Promise.all([
    runtime.queue.depths().catch((err: unknown) => {
      if (!(err instanceof AppError)) throw err;
      runtime.log.warn({ err }, 'loading queue depths failed');
      return null;
    }),
    loadChannelOverview(runtime),
    loadIndexBacklogs(runtime.database.kysely),
  ]);
  return { queues, channels, indexing };
}

export interface ChannelOverview {
  readonly channel: ChannelView;
  readonly backlog: Omit<ChannelBacklog, 'channelId'>;
}

const emptyBacklog: ChannelOverview['backlog'] = {
  unanswered: 0,
  oldestUnansweredAt: null,
  unanswerable: 0,
  unsent: 0,
  oldestUnsentAt: null,
  dead: 0,
  failed: 0,
  heldUntil: null,
};

/** Loads every channel's current state and backlog. */
export async function loadChannelOverview({
  database,
  channels,
}: Pick<OverviewDependencies, 'database' | 'channels'>): Promise<readonly ChannelOverview[]> {
  const [views, backlogs] = await Promise.all([channels.all(), loadChannelBacklogs(database.kysely)]);
  const byChannel = new Map(backlogs.map((backlog) => [backlog.channelId, backlog]));
  return views.map((channel) => ({ channel, backlog: byChannel.get(channel.id) ?? emptyBacklog }));
}

/** Unfinished and failed work of one channel. */
interface ChannelBacklog {
  readonly channelId: string;
  /** Unhandled messages of visitors, and the arrival time of the oldest. */
  readonly unanswered: number;
  readonly oldestUnansweredAt: Date | null;
  readonly unanswerable: number;
  readonly unsent: number;
  readonly oldestUnsentAt: Date | null;
  /** The number of events and parts that failed after the last attempt. An operator can retry them. */
  readonly dead: number;
  /** Permanently refused by the platform. */
  readonly failed: number;
  /** End of the platform's rate limit. Null if there is none. */
  readonly heldUntil: Date | null;
}

/** Loads the backlog of every channel. Each count uses a partial index, so handled rows cost nothing. */
async function loadChannelBacklogs(database: Kysely<Tables>): Promise<readonly ChannelBacklog[]> {
  const { rows } = await sql<ChannelBacklog>`
    select channel.id as "channelId",
           coalesce(unanswered.count, 0)::int as unanswered, unanswered.oldest as "oldestUnansweredAt",
           coalesce(unanswerable.count, 0)::int as unanswerable,
           coalesce(unsent.count, 0)::int as unsent, unsent.oldest as "oldestUnsentAt",
           coalesce(given_up.dead, 0)::int as dead, coalesce(given_up.failed, 0)::int as failed,
           held.until as "heldUntil"
    from channel
    left join (
      select channel_id, count(*), min(received_at) as oldest from inbound_event
      where handled_at is null and failure is null group by channel_id
    ) unanswered on unanswered.channel_id = channel.id
    left join (
      select channel_id, count(*) from inbound_event
      where failure is not null and handled_at is null group by channel_id
    ) unanswerable on unanswerable.channel_id = channel.id
    left join (
      select channel_id, count(*), min(created_at) as oldest from outbound_part
      where status = 'waiting' group by channel_id
    ) unsent on unsent.channel_id = channel.id
    left join (
      select channel_id, count(*) filter (where status = 'dead') as dead,
             count(*) filter (where status = 'failed') as failed
      from outbound_part where status in ('dead', 'failed') group by channel_id
    ) given_up on given_up.channel_id = channel.id
    left join (
      select held_channel.id, max(held_until) as until
      from send_budget
      join channel as held_channel
        on held_channel.id = send_budget.channel_id
        or (send_budget.of_app and held_channel.parent_id = send_budget.channel_id)
      where held_until is not null and held_until > clock_timestamp() group by held_channel.id
    ) held on held.id = channel.id
  `.execute(database);
  return rows;
}

/** Queues whose failures are kept and can be retried. */
export type RetryableQueue = 'answer' | 'deliver';

/** Parses the name of a retryable queue. Throws `queue_not_found` for any other name. */
export function requireRetryableQueue(name: string): RetryableQueue {
  if (name === 'answer' || name === 'deliver') return name;
  throw new AppError('queue_not_found');
}
