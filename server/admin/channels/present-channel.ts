import type { z } from 'zod';
import type { ChannelView } from '../../../core/channels/channels.ts';
import type { channelSchema } from './channel-schema.ts';

export function presentChannel(channel: ChannelView): z.output<typeof channelSchema> {
  return {
    id: channel.id,
    workspace_id: channel.workspaceId,
    channel: channel.channel,
    name: channel.name,
    status: channel.status,
    last_error: channel.lastError,
    heard_at: channel.heardAt?.toISOString() ?? null,
    enabled: channel.enabled,
    settings: { ...channel.settings },
    profile: { ...channel.profile },
    webhook_url: channel.webhookUrl,
    parent: channel.parentId,
    tenant: channel.tenant,
    created_at: channel.createdAt.toISOString(),
  };
}
