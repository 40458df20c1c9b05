import { serializeOuter } from 'parse5';
import { z } from 'zod';
import { shownStatuses } from '../../../core/channels/accounts/channel-activity.ts';
import type { ChannelView } from '../../../core/channels/channel-view.ts';
import type { Authority } from '../../../core/members/authority.ts';
import { element } from '../../pages/html.ts';
import { boundedString, nameSchema } from '../../schemas/fields.ts';
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

export const shareableWithSchema = z
  .array(boundedString({ min: 1, max: 100 }))
  .max(1_000)
  .meta({
    description:
      'The owners whose channels may share the app of this one, by installation links. `*` stands for every owner. They never get its tokens. Only for kinds with tenancy.',
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
      description:
        'The channel whose app this one shares. Null if it has its own app, and for people if the app is lent by another owner.',
    }),
    tenant: z.string().nullable().meta({
      description:
        'Channels with a parent only: the customer on the platform that the channel belongs to, such as a team.',
    }),
    shareable_with: shareableWithSchema,
    handle: z.string().nullable().meta({
      description:
        'How customers know the account, such as @help_bot, a number or an address. Null if nothing says so.',
    }),
    chat_url: z.string().nullable().meta({
      description: 'A page where a person can write to the account at once. Null if there is none.',
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

export interface Viewer {
  /** The public URL of this server. */
  readonly base: string;
  readonly authority: Pick<Authority, 'isOperatorToken'>;
}

/** Returns the public view of a channel. A parent of another owner, with its address, is named to the operator's token alone. */
export function presentChannel(
  channel: ChannelView,
  { base, authority }: Viewer,
): z.output<typeof channelSchema> {
  const { publicToken: token } = channel;
  const testUrl = token && `${base}/widget/${token}`;
  const hidesParent = channel.isLent && !authority.isOperatorToken;
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
    webhook_url: hidesParent ? null : channel.webhookUrl,
    parent: hidesParent ? null : channel.parentId,
    tenant: channel.tenant,
    shareable_with: [...channel.shareableWith],
    handle: channel.handle,
    chat_url: testUrl ?? (channel.chatPage && URL.parse(channel.chatPage, base)?.href) ?? null,
    public_token: token,
    script_tag: token && scriptTag(base, token),
    test_url: testUrl,
    created_at: channel.createdAt.toISOString(),
  };
}

function scriptTag(base: string, token: string): string {
  return serializeOuter(element('script', { async: '', src: `${base}/widget.js`, 'data-token': token }, []));
}
