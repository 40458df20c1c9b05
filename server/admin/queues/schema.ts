import { z } from 'zod';
import { shownStatuses } from '../../../core/channels/accounts/channel-activity.ts';
import type { ChannelOverview, QueueOverview } from '../../../core/channels/queue-overview.ts';
import { jobNames } from '../../../core/queue/job-catalogue.ts';
import { indexBacklogSchema, presentIndexBacklog } from '../../schemas/index-backlog.ts';

const count = z.int().nonnegative();
const time = z.iso.datetime().nullable();

/** The backlog and the failed jobs of the queues, and the state of the channels. */
export const queuesSchema = z
  .object({
    queues: z
      .array(
        z.object({ name: z.enum(jobNames), waiting: count, delayed: count, active: count, failed: count }),
      )
      .nullable()
      .meta({
        description:
          'Null if Redis is unavailable. Messages that arrive meanwhile are stored and processed later.',
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
            'True if a channel that this server polls or listens to has been silent for two minutes (Discord: 90 seconds), or if a platform that posts webhooks has been silent for unusually long.',
        }),
        heard_at: time,
        last_error: z.string().nullable(),
        unanswered: count.meta({ description: 'Messages from visitors that are not yet processed.' }),
        oldest_unanswered_at: time,
        unanswerable: count.meta({
          description: 'Messages that could not be answered. They can be retried.',
        }),
        unsent: count.meta({ description: 'Parts of messages that wait to be sent.' }),
        oldest_unsent_at: time,
        dead: count.meta({ description: 'Parts whose attempts are exhausted. They can be retried.' }),
        failed: count.meta({ description: 'Parts that the platform rejected permanently.' }),
        held_until: time.meta({
          description: "The end of the platform's rate limit for this channel. Null if there is none.",
        }),
      }),
    ),
    indexing: z.array(indexBacklogSchema.extend({ workspace_id: z.string() })).meta({
      description: 'The workspaces with documents that wait for the index.',
    }),
  })
  .meta({ id: 'Queues' });

type Presented = z.output<typeof queuesSchema>;

export function presentQueues({ queues, channels, indexing }: QueueOverview): Presented {
  return {
    queues: queues?.map(({ name, counts }) => ({ name, ...counts })) ?? null,
    channels: channels.map(presentChannel),
    indexing: indexing.map(({ workspaceId, ...backlog }) => ({
      ...presentIndexBacklog(backlog),
      workspace_id: workspaceId,
    })),
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
