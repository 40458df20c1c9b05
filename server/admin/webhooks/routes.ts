import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { everyEvent, webhookEvents } from '../../../core/webhooks/webhook-record.ts';
import { callbackUrlSchema } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import {
  deliverySchema,
  presentDelivery,
  presentWebhook,
  webhookParamsSchema,
  webhookSchema,
} from './schema.ts';

/** What operators do with the webhooks of a workspace. */
export function webhookRoutes(app: TypedApp, runtime: Runtime): void {
  postWebhook(app, runtime);
  listWebhooks(app, runtime);
  patchWebhook(app, runtime);
  deleteWebhook(app, runtime);
  listDeliveries(app, runtime);
  replayDelivery(app, runtime);
}

const postWebhookSchema = {
  ...operatorRoute,
  summary: 'Add a webhook',
  operationId: 'createWebhook',
  description:
    'Subscribes an address to events of the workspace, signed by the Standard Webhooks. The response holds the signing secret, which is not shown again. An event arrives at least once and is retried for a day.',
  params: workspaceParamsSchema,
  body: z
    .object({
      url: callbackUrlSchema.meta({
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
function postWebhook(app: TypedApp, { webhooks }: Runtime): void {
  app.post('/webhooks', { schema: postWebhookSchema }, async (request, reply) => {
    const { webhook, secret } = await webhooks.create(requestWorkspace.get(request).id, request.body);
    return reply.code(201).send({ ...presentWebhook(webhook), secret });
  });
}

const listWebhooksSchema = {
  ...operatorRoute,
  summary: 'List the webhooks of a workspace, newest first',
  operationId: 'listWebhooks',
  description: 'Returns the webhooks of the workspace without their secrets.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ webhooks: z.array(webhookSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

/** `GET /admin/v1/workspaces/{workspace_id}/webhooks`. */
function listWebhooks(app: TypedApp, { webhooks }: Runtime): void {
  app.get('/webhooks', { schema: listWebhooksSchema }, async (request) => {
    const page = await webhooks.list(requestWorkspace.get(request).id, request.query);
    return { webhooks: page.items.map(presentWebhook), pagination: presentPagination(page) };
  });
}

const patchWebhookSchema = {
  ...operatorRoute,
  summary: 'Enable a webhook again, or disable it',
  operationId: 'updateWebhook',
  description: 'Enables or disables the webhook. While it is disabled, no events are stored for it.',
  params: webhookParamsSchema,
  body: z.object({ enabled: z.boolean() }),
  response: { 200: webhookSchema, ...errorResponses('workspace_not_found', 'webhook_not_found') },
};

/** `PATCH /admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}`. */
function patchWebhook(app: TypedApp, { webhooks }: Runtime): void {
  app.patch('/webhooks/:hook_id', { schema: patchWebhookSchema }, async (request) => {
    const { hook_id } = request.params;
    return presentWebhook(
      await webhooks.setEnabled(requestWorkspace.get(request).id, hook_id, request.body.enabled),
    );
  });
}

const deleteWebhookSchema = {
  ...operatorRoute,
  summary: 'Delete a webhook, with all that is on its way to it',
  operationId: 'deleteWebhook',
  description: 'Deletes the webhook together with the deliveries that are still pending.',
  params: webhookParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'webhook_not_found') },
};

/** `DELETE /admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}`. */
function deleteWebhook(app: TypedApp, { webhooks }: Runtime): void {
  app.delete('/webhooks/:hook_id', { schema: deleteWebhookSchema }, async (request, reply) => {
    await webhooks.delete(requestWorkspace.get(request).id, request.params.hook_id);
    return reply.code(204).send();
  });
}

const listDeliveriesSchema = {
  ...operatorRoute,
  summary: 'List what was sent to a webhook in the last week or is still to be, newest first',
  operationId: 'listDeliveries',
  description: "Returns each event of the last week with its attempts and the receiver's last answer.",
  params: webhookParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ deliveries: z.array(deliverySchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found', 'webhook_not_found'),
  },
};

/** `GET /admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/deliveries`. */
function listDeliveries(app: TypedApp, { webhooks }: Runtime): void {
  app.get('/webhooks/:hook_id/deliveries', { schema: listDeliveriesSchema }, async (request) => {
    const { hook_id } = request.params;
    const page = await webhooks.deliveries(requestWorkspace.get(request).id, hook_id, request.query);
    return { deliveries: page.items.map(presentDelivery), pagination: presentPagination(page) };
  });
}

const deliveryId = z.string().refine((id) => /^\w+$/.test(id), withErrorCode('delivery_not_found'));

const replayDeliverySchema = {
  ...operatorRoute,
  summary: 'Send a delivery again, whether it arrived or not',
  operationId: 'replayDelivery',
  description: 'Sends the delivery again at once, under the same id, whether it arrived before or not.',
  params: webhookParamsSchema.extend({ delivery_id: deliveryId }),
  response: {
    202: deliverySchema.meta({ description: 'It will be sent.' }),
    ...errorResponses('workspace_not_found', 'webhook_not_found', 'delivery_not_found', 'webhook_disabled'),
  },
};

/** `POST /admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/deliveries/{delivery_id}/replay`. */
function replayDelivery(app: TypedApp, { webhooks }: Runtime): void {
  app.post(
    '/webhooks/:hook_id/deliveries/:delivery_id/replay',
    { schema: replayDeliverySchema },
    async (request, reply) => {
      const { hook_id, delivery_id } = request.params;
      const replayed = await webhooks.replay(requestWorkspace.get(request).id, hook_id, delivery_id);
      return reply.code(202).send(presentDelivery(replayed));
    },
  );
}
