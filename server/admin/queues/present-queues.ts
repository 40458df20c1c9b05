import type { z } from 'zod';
import type { ChannelOverview } from '../../../core/pipeline/channel-overview.ts';
import type { QueueOverview } from '../../../core/pipeline/queue-overview.ts';
import type { queuesSchema } from './queues-schema.ts';

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
