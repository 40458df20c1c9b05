import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { presentWebhook } from './present-webhook.ts';
import { webhookParamsSchema } from './webhook-params-schema.ts';
import { webhookSchema } from './webhook-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Enable a webhook again, or disable it',
  operationId: 'updateWebhook',
  description: 'Enables or disables the webhook. While it is disabled, no events are stored for it.',
  params: webhookParamsSchema,
  body: z.object({ enabled: z.boolean() }),
  response: { 200: webhookSchema, ...errorResponses('workspace_not_found', 'webhook_not_found') },
};

/** `PATCH /admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}`. */
export function patchWebhook(app: TypedApp, { webhooks }: Runtime): void {
  app.patch('/webhooks/:hook_id', { schema }, async (request) => {
    const { hook_id } = request.params;
    return presentWebhook(
      await webhooks.setEnabled(addressedWorkspace.of(request).id, hook_id, request.body.enabled),
    );
  });
}
