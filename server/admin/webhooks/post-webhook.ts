import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { everyEvent, webhookEvents } from '../../../core/webhooks/webhook-events.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { receiverUrlSchema } from '../receiver-url-schema.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { presentWebhook } from './present-webhook.ts';
import { webhookSchema } from './webhook-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Add a webhook',
  operationId: 'createWebhook',
  description:
    'Subscribes an address to events of the workspace, signed by the Standard Webhooks. The response holds the signing secret, which is not shown again. An event arrives at least once and is retried for a day.',
  params: workspaceParamsSchema,
  body: z
    .object({
      url: receiverUrlSchema.meta({
        description: 'Where events are posted to, by http or https, without a user name.',
      }),
      events: z
        .array(z.enum([...webhookEvents, everyEvent]))
        .min(1)
        .meta({ description: '`*` stands for every event, also for kinds that are added later.' }),
    })
    .meta({ examples: [{ url: 'https://example.com/hooks', events: ['answer.low_confidence'] }] }),
  response: {
    201: webhookSchema.extend({
      secret: z.string().meta({ description: 'What events are signed with: shown here and nowhere else.' }),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

/** `POST /admin/v1/workspaces/{workspace_id}/webhooks`. */
export function postWebhook(app: TypedApp, { webhooks }: Runtime): void {
  app.post('/webhooks', { schema }, async (request, reply) => {
    const { webhook, secret } = await webhooks.create(addressedWorkspace.of(request).id, request.body);
    return reply.code(201).send({ ...presentWebhook(webhook), secret });
  });
}
