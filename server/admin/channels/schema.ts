import { serializeOuter } from 'parse5';
import { z } from 'zod';
import { shownStatuses } from '../../../core/channels/channel-activity.ts';
import type { ChannelView } from '../../../core/channels/channel-view.ts';
import { element } from '../../pages/html.ts';
import { nameSchema } from '../../schemas/fields.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { workspaceParamsSchema } from '../operator-route.ts';

/** The path parameters of one channel. */
export const channelParamsSchema = workspaceParamsSchema.extend({
  chan_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('channel_not_found')),
});

const fields = z.record(z.string(), z.unknown());

/** The fields of a channel that can be changed. */
export const channelFieldsSchema = z.object({
  name: nameSchema,
  credentials: fields.meta({
    description:
      'The credentials from the platform, such as bot_token. They are encrypted and never returned.',
  }),
  settings: fields.meta({
    description:
      'Every channel has api_base_url, enabled, and verify (false skips the check of the credentials). The other settings depend on the kind of the channel.',
  }),
  enabled: z.boolean().meta({ description: 'false rejects requests from the platform.' }),
});

/** A channel as the operator sees it, without its credentials. */
export const channelSchema = z
  .object({
    id: z.string(),
    workspace_id: z.string(),
    channel: z.string().meta({ description: 'The kind of the channel, such as telegram.' }),
    name: z.string(),
    status: z.enum(shownStatuses).meta({
      description:
        'connecting: the channel is stored and has not been confirmed to work yet. stale: a channel that this server polls or listens to has been silent for two minutes (Discord: 90 seconds), or a platform that posts webhooks has been silent for unusually long.',
    }),
    last_error: z.string().nullable().meta({
      description: "A current or upcoming problem, in the platform's words.",
    }),
    heard_at: z.iso.datetime().nullable().meta({
      description: 'When the platform last sent something, accurate to ten seconds.',
    }),
    enabled: z.boolean(),
    settings: fields,
    profile: fields.meta({ description: "The platform's description of the account." }),
    webhook_url: z.string().nullable().meta({
      description:
        'The URL that the platform posts to. Null if it does not post, or if PUBLIC_URL is not set.',
    }),
    parent: z.string().nullable().meta({
      description: 'The channel whose app this one shares. Null if it has its own app.',
    }),
    tenant: z.string().nullable().meta({
      description:
        'Channels with a parent only: the customer on the platform that the channel belongs to, such as a team.',
    }),
    public_token: z.string().nullable().meta({
      description: 'The token that opens this widget and gives access to nothing else. Null for other kinds.',
    }),
    script_tag: z.string().nullable().meta({
      description: 'The HTML to paste into the pages that show this widget. Null for other kinds.',
    }),
    test_url: z.string().nullable().meta({
      description: 'A page of this server that shows this widget, for testing. Null for other kinds.',
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Channel' });

/** Returns the public view of a channel. `base` is the public URL of this server. */
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
