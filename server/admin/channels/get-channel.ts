import type { Runtime } from '../../../core/runtime.ts';
import { publicBase } from '../../nlweb/public-base.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { channelParamsSchema } from './channel-params-schema.ts';
import { channelSchema } from './channel-schema.ts';
import { presentChannel } from './present-channel.ts';

const schema = {
  ...operatorRoute,
  summary: 'Read a channel',
  operationId: 'getChannel',
  description: 'Returns the channel with its state, without its credentials.',
  params: channelParamsSchema,
  response: { 200: channelSchema, ...errorResponses('workspace_not_found', 'channel_not_found') },
};

/** `GET /admin/v1/workspaces/{workspace_id}/channels/{chan_id}`. */
export function getChannel(app: TypedApp, { channels, config }: Runtime): void {
  app.get('/channels/:chan_id', { schema }, async (request) =>
    presentChannel(
      await channels.get(addressedWorkspace.of(request).id, request.params.chan_id),
      publicBase(config, request),
    ),
  );
}
