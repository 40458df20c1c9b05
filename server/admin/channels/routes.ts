import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { pageChannel } from '../../../core/contract/conversation-values.ts';
import type { ChannelServices } from '../../../core/runtime/open-channels.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { publicBaseUrl } from '../../nlweb/public-workspace.ts';
import { needs } from '../../plugins/operator-access.ts';
import { boundedString } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import {
  operatorRoute,
  requestAuthority,
  requestWorkspace,
  workspaceParamsSchema,
} from '../operator-route.ts';
import {
  channelFieldsSchema,
  channelParamsSchema,
  channelSchema,
  presentChannel,
  shareableWithSchema,
} from './schema.ts';

/** Registers the operator's routes for the channels of a workspace. */
export function channelRoutes(app: TypedApp, runtime: Runtime): void {
  postChannel(app, runtime);
  listChannels(app, runtime);
  getChannel(app, runtime);
  patchChannel(app, runtime);
  deleteChannel(app, runtime);
  postInstallLink(app, runtime);
}

const { name, credentials, settings, enabled } = channelFieldsSchema.shape;

/** Needs no account of a platform, so that it works as it stands. */
const channelExample = {
  channel: pageChannel,
  name: 'Help page',
  credentials: {},
  settings: { slug: 'help', title: 'Help' },
};

const postChannelSchema = {
  ...operatorRoute,
  summary: 'Add a channel',
  operationId: 'createChannel',
  description:
    'Checks the credentials with the platform and connects the channel. If the platform needs a webhook, the response contains the `webhook_url` to enter there. Credentials are encrypted and never returned. `settings.verify: false` skips the check.',
  params: workspaceParamsSchema,
  body: z
    .object({
      channel: boundedString({ min: 1, max: 100 }).meta({
        description: 'The kind of the channel, such as telegram.',
      }),
      name: name.optional().meta({ description: 'Defaults to the kind.' }),
      credentials: credentials.default({}),
      settings: settings.default({}),
      enabled: enabled.default(true),
      parent: z.string().optional().meta({
        description:
          'The channel whose app this one shares: one of a workspace of the same owner where you may change channels. The operator token may name any. Credentials and settings that are not given here are inherited from it; from the channel of another owner, only the credentials of the app itself. The app that another owner lends is installed by a link instead.',
      }),
    })
    .meta({ examples: [channelExample] }),
  response: {
    201: channelSchema,
    ...errorResponses(
      'workspace_not_found',
      'unknown_channel',
      'unknown_parent',
      'invalid_parent',
      'credentials_required',
      'tenancy_not_supported',
      'tenant_taken',
      'channel_verification_failed',
      'slug_taken',
    ),
  },
};

function postChannel(app: TypedApp, { channels, config }: Runtime): void {
  app.post('/channels', { schema: postChannelSchema, ...needs('channels:write') }, async (request, reply) => {
    const { body } = request;
    const newChannel = { ...body, name: body.name ?? body.channel };
    const authority = requestAuthority(request);
    const channel = await channels.create(authority, newChannel);
    return reply.code(201).send(presentChannel(channel, { base: publicBaseUrl(config, request), authority }));
  });
}

const listChannelsSchema = {
  ...operatorRoute,
  summary: 'List the channels of a workspace, newest first',
  operationId: 'listChannels',
  description: 'Returns the channels of the workspace with their state, without their credentials.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ channels: z.array(channelSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

function listChannels(app: TypedApp, { channels, config }: Runtime): void {
  app.get('/channels', { schema: listChannelsSchema, ...needs('channels:read') }, async (request) => {
    const page = await channels.list(requestWorkspace.get(request).id, request.query);
    const viewer = { base: publicBaseUrl(config, request), authority: requestAuthority(request) };
    const shown = page.items.map((channel) => presentChannel(channel, viewer));
    return { channels: shown, pagination: presentPagination(page) };
  });
}

const getChannelSchema = {
  ...operatorRoute,
  summary: 'Read a channel',
  operationId: 'getChannel',
  description: 'Returns the channel with its state, without its credentials.',
  params: channelParamsSchema,
  response: { 200: channelSchema, ...errorResponses('workspace_not_found', 'channel_not_found') },
};

function getChannel(app: TypedApp, { channels, config }: Runtime): void {
  app.get('/channels/:chan_id', { schema: getChannelSchema, ...needs('channels:read') }, async (request) =>
    presentChannel(await channels.get(requestWorkspace.get(request).id, request.params.chan_id), {
      base: publicBaseUrl(config, request),
      authority: requestAuthority(request),
    }),
  );
}

const patchChannelSchema = {
  ...operatorRoute,
  summary: 'Change a channel, or enable or disable it',
  operationId: 'updateChannel',
  description:
    'Merges `credentials` and `settings` into the existing ones, where null clears a field, and checks them with the platform again. A new `settings.api_base_url` needs the credentials again in the same request. With `enabled: false`, requests from the platform are rejected.',
  params: channelParamsSchema,
  body: channelFieldsSchema.extend({ shareable_with: shareableWithSchema }).partial(),
  response: {
    200: channelSchema,
    ...errorResponses(
      'workspace_not_found',
      'channel_not_found',
      'unknown_channel',
      'credentials_required',
      'tenancy_not_supported',
      'invalid_parent',
      'channel_verification_failed',
      'slug_taken',
    ),
  },
};

function patchChannel(app: TypedApp, { channels, config }: Runtime): void {
  app.patch(
    '/channels/:chan_id',
    { schema: patchChannelSchema, ...needs('channels:write') },
    async (request) => {
      const { params } = request;
      const { shareable_with: shareableWith, ...body } = request.body;
      if (Object.keys(request.body).length === 0) {
        const detail = 'Nothing to change. Send name, credentials, settings, enabled or shareable_with.';
        throw new AppError('missing_field', { detail });
      }
      const authority = requestAuthority(request);
      const changed = await channels.change(authority, params.chan_id, {
        ...body,
        ...(shareableWith !== undefined && { shareableWith }),
      });
      return presentChannel(changed, { base: publicBaseUrl(config, request), authority });
    },
  );
}

const deleteChannelSchema = {
  ...operatorRoute,
  summary: 'Remove a channel',
  operationId: 'deleteChannel',
  description:
    'Removes the channel with its stored credentials and stops receiving from it. Its conversations are kept.',
  params: channelParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'channel_not_found') },
};

function deleteChannel(app: TypedApp, { channels }: ChannelServices): void {
  app.delete(
    '/channels/:chan_id',
    { schema: deleteChannelSchema, ...needs('channels:write') },
    async (request, reply) => {
      await channels.delete(requestAuthority(request), request.params.chan_id);
      return reply.code(204).send();
    },
  );
}

const postInstallLinkSchema = {
  ...operatorRoute,
  summary: 'Create a link that installs the app of a channel in a team, for this workspace',
  operationId: 'createInstallLink',
  description:
    'Creates a link that the administrator of a team opens to install the app of this channel for this workspace. The link can be used once, within an hour. The new channel has `chan_id` as its parent: a channel of the same owner, or one that another owner lends. The operator token may name any, and so lends it.',
  params: channelParamsSchema,
  response: {
    201: z.object({ url: z.string(), expires_at: z.iso.datetime() }),
    ...errorResponses(
      'workspace_not_found',
      'channel_not_found',
      'invalid_parent',
      'tenancy_not_supported',
      'no_public_address',
      'app_not_installable',
    ),
  },
};

function postInstallLink(app: TypedApp, { installs }: ChannelServices): void {
  app.post(
    '/channels/:chan_id/install-links',
    { schema: postInstallLinkSchema, ...needs('channels:write') },
    async (request, reply) => {
      const { url, expiresAt } = await installs.createLink(requestAuthority(request), request.params.chan_id);
      return reply.code(201).send({ url, expires_at: expiresAt.toISOString() });
    },
  );
}
