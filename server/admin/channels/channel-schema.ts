import { z } from 'zod';
import { shownStatuses } from '../../../core/channels/channel-state.ts';

const fields = z.record(z.string(), z.unknown());

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
