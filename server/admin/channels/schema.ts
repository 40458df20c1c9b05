import { serializeOuter } from 'parse5';
import { z } from 'zod';
import { shownStatuses } from '../../../core/channels/channel-activity.ts';
import type { ChannelView } from '../../../core/channels/channel-view.ts';
import { element } from '../../pages/html.ts';
import { boundedString } from '../../schemas/fields.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { workspaceParamsSchema } from '../operator-route.ts';

/** The path parameters of one channel. */
export const channelParamsSchema = workspaceParamsSchema.extend({
  chan_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('channel_not_found')),
});

const fields = z.record(z.string(), z.unknown());

/** What may be changed of a channel. */
export const channelFieldsSchema = z.object({
  name: boundedString({ min: 1, max: 200 }, z.string().trim()),
  credentials: fields.meta({
    description: 'What the platform gave, such as bot_token. It is encrypted, and never shown again.',
  }),
  settings: fields.meta({
    description:
      'Of every channel api_base_url, enabled, and verify (false: stored without asking the platform); the others depend on the channel.',
  }),
  enabled: z.boolean().meta({ description: 'false: what comes from the platform is refused.' }),
});

/** A channel as the operator sees it: without its credentials. */
export const channelSchema = z
  .object({
    id: z.string(),
    workspace_id: z.string(),
    channel: z.string().meta({ description: 'Of which kind it is, such as telegram.' }),
    name: z.string(),
    status: z.enum(shownStatuses).meta({
      description:
        'connecting: it was stored, and nothing has shown yet that it works. stale: a channel that is listened to was not heard of for two minutes (Discord: one and a half), or a platform that had posted fell silent for longer than it should.',
    }),
    last_error: z.string().nullable().meta({
      description: "What is wrong, or will be, in the platform's own words.",
    }),
    heard_at: z.iso.datetime().nullable().meta({
      description: 'When the platform was last heard of, to ten seconds.',
    }),
    enabled: z.boolean(),
    settings: fields,
    profile: fields.meta({ description: 'What the platform says of the account.' }),
    webhook_url: z.string().nullable().meta({
      description: 'Where the platform posts; null where it does not, or PUBLIC_URL is absent.',
    }),
    parent: z.string().nullable().meta({
      description: 'The channel whose app it shares; null where it has an app of its own.',
    }),
    tenant: z.string().nullable().meta({
      description: 'Of a channel that has a parent: whose it is on the platform, such as a team.',
    }),
    public_token: z.string().nullable().meta({
      description: 'Opens this widget, and nothing else; null of other kinds.',
    }),
    script_tag: z.string().nullable().meta({
      description: 'What to paste into the pages that carry this widget; null of other kinds.',
    }),
    test_url: z.string().nullable().meta({
      description: 'A page of this server that carries this widget, to try it; null of other kinds.',
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Channel' });

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
