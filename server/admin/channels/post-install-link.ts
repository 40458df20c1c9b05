import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { channelParamsSchema } from './channel-params-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Make a link by which a person lets the app of a channel into his team, for this workspace',
  operationId: 'createInstallLink',
  description:
    "Creates a link with which the administrator of a team installs this channel's app for this workspace. It can be used once, within an hour. The new channel has `chan_id` as its parent; the parent may belong to another workspace.",
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

/** `POST /admin/v1/workspaces/{workspace_id}/channels/{chan_id}/install-links`. */
export function postInstallLink(app: TypedApp, { installs }: Runtime): void {
  app.post('/channels/:chan_id/install-links', { schema }, async (request, reply) => {
    const workspaceId = addressedWorkspace.of(request).id;
    const { url, expiresAt } = await installs.createLink({ channelId: request.params.chan_id, workspaceId });
    return reply.code(201).send({ url, expires_at: expiresAt.toISOString() });
  });
}
