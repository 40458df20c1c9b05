import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { noContentSchema } from '../../schemas/no-content-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { channelParamsSchema } from './channel-params-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Remove a channel',
  operationId: 'deleteChannel',
  description:
    'Removes the channel with its stored credentials and stops receiving from it. Its conversations stay.',
  params: channelParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'channel_not_found') },
};

/** `DELETE /admin/v1/workspaces/{workspace_id}/channels/{chan_id}`. */
export function deleteChannel(app: TypedApp, { channels }: Runtime): void {
  app.delete('/channels/:chan_id', { schema }, async (request, reply) => {
    await channels.delete(addressedWorkspace.of(request).id, request.params.chan_id);
    return reply.code(204).send();
  });
}
