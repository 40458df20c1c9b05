import { z } from 'zod';
import { shownStatuses } from '../../../core/channels/channel-activity.ts';
import { jobNames } from '../../../core/queue/job-catalogue.ts';
import type { ChannelOverview, QueueOverview } from '../../../core/queue/queue-overview.ts';

const count = z.int().nonnegative();
const time = z.iso.datetime().nullable();

/** What waits, what was given up, and which channels are well. */
export const queuesSchema = z
  .object({
    queues: z
      .array(
        z.object({ name: z.enum(jobNames), waiting: count, delayed: count, active: count, failed: count }),
      )
      .nullable()
      .meta({
        description: 'null where the queue does not answer: Redis is away, and what came waits for it.',
      }),
    channels: z.array(
      z.object({
        id: z.string(),
        workspace_id: z.string(),
        channel: z.string(),
        name: z.string(),
        enabled: z.boolean(),
        status: z.enum(shownStatuses),
        stale: z.boolean().meta({
          description:
            'Whether a channel that is listened to was not heard of for two minutes (Discord: one and a half), or a platform that had posted fell silent for longer than it should.',
        }),
        heard_at: time,
        last_error: z.string().nullable(),
        unanswered: count.meta({ description: 'Messages of visitors that are not dealt with.' }),
        oldest_unanswered_at: time,
        unanswerable: count.meta({ description: 'Messages that were given up: they can be retried.' }),
        unsent: count.meta({ description: 'Parts of answers that are still to be sent.' }),
        oldest_unsent_at: time,
        dead: count.meta({ description: 'Parts given up after too many tries: they can be retried.' }),
        failed: count.meta({ description: 'Parts that the platform refused for good.' }),
        held_until: time.meta({
          description:
            'Until when the platform takes nothing more: it said so. null where it takes what comes.',
        }),
      }),
    ),
  })
  .meta({ id: 'Queues' });

type Presented = z.output<typeof queuesSchema>;

export function presentQueues({ queues, channels }: QueueOverview): Presented {
  return {
    queues: queues?.map(({ name, counts }) => ({ name, ...counts })) ?? null,
    channels: channels.map(presentChannel),
  };
}

function presentChannel({ channel, backlog }: ChannelOverview): Presented['channels'][number] {
  return {
    id: channel.id,
    workspace_id: channel.workspaceId,
    channel: channel.channel,
    name: channel.name,
    enabled: channel.enabled,
    status: channel.status,
    stale: channel.isStale,
    heard_at: channel.heardAt?.toISOString() ?? null,
    last_error: channel.lastError,
    unanswered: backlog.unanswered,
    oldest_unanswered_at: backlog.oldestUnansweredAt?.toISOString() ?? null,
    unanswerable: backlog.unanswerable,
    unsent: backlog.unsent,
    oldest_unsent_at: backlog.oldestUnsentAt?.toISOString() ?? null,
    dead: backlog.dead,
    failed: backlog.failed,
    held_until: backlog.heldUntil?.toISOString() ?? null,
  };
}
