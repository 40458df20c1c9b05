import type { ChannelView } from '../channels/channel-view.ts';
import type { Runtime } from '../runtime.ts';
import { type ChannelBacklog, channelBacklogs } from './channel-backlogs.ts';

export interface ChannelOverview {
  readonly channel: ChannelView;
  readonly backlog: Omit<ChannelBacklog, 'channelId'>;
}

const nothing: ChannelOverview['backlog'] = {
  unanswered: 0,
  oldestUnansweredAt: null,
  unanswerable: 0,
  unsent: 0,
  oldestUnsentAt: null,
  dead: 0,
  failed: 0,
  heldUntil: null,
};

/** Every channel as it is now, with what there is to do for it. */
export async function channelOverview({
  database,
  channels,
}: Pick<Runtime, 'database' | 'channels'>): Promise<readonly ChannelOverview[]> {
  const [views, backlogs] = await Promise.all([channels.all(), channelBacklogs(database.kysely)]);
  const byChannel = new Map(backlogs.map((backlog) => [backlog.channelId, backlog]));
  return views.map((channel) => ({ channel, backlog: byChannel.get(channel.id) ?? nothing }));
}
