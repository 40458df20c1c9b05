import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { publicBase } from '../../nlweb/public-base.ts';
import { characters } from '../../schemas/characters.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { channelFieldsSchema } from './channel-fields-schema.ts';
import { channelSchema } from './channel-schema.ts';
import { presentChannel } from './present-channel.ts';

const { name, credentials, settings, enabled } = channelFieldsSchema.shape;

const example = {
  channel: 'telegram',
  name: 'Help bot',
  credentials: { bot_token: '123456:ABC-DEF' },
  settings: { mode: 'polling' },
};

const schema = {
  ...operatorRoute,
  summary: 'Add a channel',
  operationId: 'createChannel',
  description:
    'Checks the credentials with the platform and connects the channel. The response holds the `webhook_url` to enter on the platform where one is needed. Credentials are encrypted and never returned. `settings.verify: false` skips the check.',
  params: workspaceParamsSchema,
  body: z
    .object({
      channel: characters({ min: 1, max: 100 }).meta({ description: 'Its kind, such as telegram.' }),
      name: name.optional().meta({ description: 'Absent: that of its kind.' }),
      credentials: credentials.default({}),
      settings: settings.default({}),
      enabled: enabled.default(true),
      parent: z.string().optional().meta({
        description:
          'The channel whose app it shares, of whichever workspace: what is not given here is that one’s.',
      }),
    })
    .meta({ examples: [example] }),
  response: {
    201: channelSchema,
    ...errorResponses(
      'workspace_not_found',
      'unknown_channel',
      'unknown_parent',
      'tenancy_not_supported',
      'tenant_taken',
      'channel_verification_failed',
      'slug_taken',
    ),
  },
};

/** `POST /admin/v1/workspaces/{workspace_id}/channels`. */
export function postChannel(app: TypedApp, { channels, config }: Runtime): void {
  app.post('/channels', { schema }, async (request, reply) => {
    const { body } = request;
    const wanted = { ...body, name: body.name ?? body.channel };
    const channel = await channels.create(addressedWorkspace.of(request).id, wanted);
    return reply.code(201).send(presentChannel(channel, publicBase(config, request)));
  });
}
