import type { ChannelView } from '../channels/channels.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Runtime } from '../runtime.ts';
import { type ChannelBacklog, channelBacklogs } from './channel-backlogs.ts';

export interface ChannelOverview {
  readonly channel: ChannelView;
  readonly backlog: Omit<ChannelBacklog, 'channelId'>;
}

export interface QueueOverview {
  readonly queues: Awaited<ReturnType<JobQueue['depths']>>;
  readonly channels: readonly ChannelOverview[];
}

const nothing: ChannelOverview['backlog'] = {
  unanswered: 0,
  oldestUnansweredAt: null,
  unanswerable: 0,
  unsent: 0,
  oldestUnsentAt: null,
  dead: 0,
  failed: 0,
};

/** What an operator looks at at night. */
export async function queueOverview({
  database,
  queue,
  channels,
}: Pick<Runtime, 'database' | 'queue' | 'channels'>): Promise<QueueOverview> {
  const [queues, ...both] = await Promise.all([
    queue.depths(),
    channels.all(),
    channelBacklogs(database.kysely),
  ]);
  const [views, backlogs] = both;
  const byChannel = new Map(backlogs.map((backlog) => [backlog.channelId, backlog]));
  return {
    queues,
    channels: views.map((channel) => ({ channel, backlog: byChannel.get(channel.id) ?? nothing })),
  };
}
