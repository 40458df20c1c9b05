import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { noContentSchema } from '../../schemas/no-content-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { webhookParamsSchema } from './webhook-params-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Delete a webhook, with all that is on its way to it',
  operationId: 'deleteWebhook',
  description: 'Deletes the webhook together with the deliveries that are still pending.',
  params: webhookParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'webhook_not_found') },
};

/** `DELETE /admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}`. */
export function deleteWebhook(app: TypedApp, { webhooks }: Runtime): void {
  app.delete('/webhooks/:hook_id', { schema }, async (request, reply) => {
    await webhooks.delete(addressedWorkspace.of(request).id, request.params.hook_id);
    return reply.code(204).send();
  });
}
