import { serializeOuter } from 'parse5';
import type { z } from 'zod';
import type { ChannelView } from '../../../core/channels/channel-view.ts';
import { element } from '../../pages/element.ts';
import type { channelSchema } from './channel-schema.ts';

/** `base` is where the world reaches this server. */
export function presentChannel(channel: ChannelView, base: string): z.output<typeof channelSchema> {
  const { publicToken: token } = channel;
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
    public_token: token,
    script_tag: token && scriptTag(base, token),
    test_url: token && `${base}/widget/${token}`,
    created_at: channel.createdAt.toISOString(),
  };
}

function scriptTag(base: string, token: string): string {
  return serializeOuter(element('script', { async: '', src: `${base}/widget.js`, 'data-token': token }, []));
}
