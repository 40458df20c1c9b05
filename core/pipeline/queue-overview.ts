import { type Kysely, sql } from 'kysely';
import type { JobQueue } from '../queue/queue.ts';
import type { Tables } from '../storage/tables.ts';

/** What is to do, and what was given up, of one channel. */
export interface ChannelBacklog {
  readonly channelId: string;
  readonly channel: string;
  /** Messages of visitors that are not dealt with, and since when the oldest one waits. */
  readonly unanswered: number;
  readonly oldestUnansweredAt: Date | null;
  readonly unanswerable: number;
  readonly unsent: number;
  readonly oldestUnsentAt: Date | null;
  /** Given up after too many tries: they can be tried again. */
  readonly dead: number;
  /** Refused by the platform for good. */
  readonly failed: number;
}

export interface QueueOverview {
  readonly queues: Awaited<ReturnType<JobQueue['depths']>>;
  readonly channels: readonly ChannelBacklog[];
}

/** What an operator looks at at night. */
export async function queueOverview(database: Kysely<Tables>, queue: JobQueue): Promise<QueueOverview> {
  const [queues, channels] = await Promise.all([queue.depths(), backlogs(database)]);
  return { queues, channels };
}

async function backlogs(database: Kysely<Tables>): Promise<readonly ChannelBacklog[]> {
  const { rows } = await sql<ChannelBacklog>`
    select channel.id as "channelId", channel.channel,
           coalesce(inbound.unanswered, 0)::int as unanswered, inbound.oldest as "oldestUnansweredAt",
           coalesce(inbound.unanswerable, 0)::int as unanswerable,
           coalesce(outbound.unsent, 0)::int as unsent, outbound.oldest as "oldestUnsentAt",
           coalesce(outbound.dead, 0)::int as dead, coalesce(outbound.failed, 0)::int as failed
    from channel
    left join lateral (
      select count(*) filter (where failure is null) as unanswered,
             min(received_at) filter (where failure is null) as oldest,
             count(*) filter (where failure is not null) as unanswerable
      from inbound_event where channel_id = channel.id and handled_at is null
    ) inbound on true
    left join lateral (
      select count(*) filter (where status = 'waiting') as unsent,
             min(created_at) filter (where status = 'waiting') as oldest,
             count(*) filter (where status = 'dead') as dead,
             count(*) filter (where status = 'failed') as failed
      from outbound_part where channel_id = channel.id and status in ('waiting', 'dead', 'failed')
    ) outbound on true
    order by channel.created_at, channel.id
  `.execute(database);
  return rows;
}
