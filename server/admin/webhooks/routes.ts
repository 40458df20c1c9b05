import { z } from 'zod';
import type { WorkspaceServices } from '../../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { everyEvent, webhookEvents } from '../../../core/webhooks/webhook-record.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { callbackUrlSchema } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import {
  operatorRoute,
  requestWorkspace,
  restorableMs,
  restorableQuerySchema,
  workspaceParamsSchema,
} from '../operator-route.ts';
import {
  deliverySchema,
  presentDelivery,
  presentWebhook,
  webhookParamsSchema,
  webhookSchema,
} from './schema.ts';

/** Registers the operator's routes for the webhooks of a workspace. */
export function webhookRoutes(app: TypedApp, runtime: Runtime): void {
  postWebhook(app, runtime);
  listWebhooks(app, runtime);
  patchWebhook(app, runtime);
  deleteWebhook(app, runtime);
  restoreWebhook(app, runtime);
  listDeliveries(app, runtime);
  replayDelivery(app, runtime);
  testWebhook(app, runtime);
}

const postWebhookSchema = {
  ...operatorRoute,
  summary: 'Add a webhook',
  operationId: 'createWebhook',
  description:
    'Subscribes a URL to events of the workspace. Events are signed as in Standard Webhooks. The response contains the signing secret, which is not shown again. An event arrives at least once and is retried for a day.',
  params: workspaceParamsSchema,
  body: z
    .object({
      url: callbackUrlSchema.meta({
        description: 'The http or https URL that events are posted to, without a user name or password.',
      }),
      events: z
        .array(z.enum([...webhookEvents, everyEvent]))
        .min(1)
        .meta({ description: '`*` subscribes to all events, including types that are added later.' }),
    })
    .meta({ examples: [{ url: 'https://example.com/hooks', events: ['answer.low_confidence'] }] }),
  response: {
    201: webhookSchema.extend({
      secret: z.string().meta({ description: 'The secret that signs the events. It is shown only once.' }),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function postWebhook(app: TypedApp, { webhooks }: WorkspaceServices): void {
  app.post(
    '/webhooks',
    { schema: postWebhookSchema, ...needs('developers:write', { scope: 'webhooks:write' }) },
    async (request, reply) => {
      const { webhook, secret } = await webhooks.create(
        requestWorkspace.get(request).id,
        request.body,
        requestActor.get(request).identity,
      );
      return reply.code(201).send({ ...presentWebhook(webhook), secret });
    },
  );
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

function listWebhooks(app: TypedApp, { webhooks }: WorkspaceServices): void {
  app.get(
    '/webhooks',
    { schema: listWebhooksSchema, ...needs('developers:read', { scope: 'webhooks:write' }) },
    async (request) => {
      const page = await webhooks.list(requestWorkspace.get(request).id, request.query);
      return { webhooks: page.items.map(presentWebhook), pagination: presentPagination(page) };
    },
  );
}

const patchWebhookSchema = {
  ...operatorRoute,
  summary: 'Enable or disable a webhook',
  operationId: 'updateWebhook',
  description: 'Enables or disables the webhook. While it is disabled, no events are stored for it.',
  params: webhookParamsSchema,
  body: z.object({ enabled: z.boolean() }),
  response: { 200: webhookSchema, ...errorResponses('workspace_not_found', 'webhook_not_found') },
};

function patchWebhook(app: TypedApp, { webhooks }: WorkspaceServices): void {
  app.patch(
    '/webhooks/:hook_id',
    { schema: patchWebhookSchema, ...needs('developers:write', { scope: 'webhooks:write' }) },
    async (request) => {
      const { hook_id } = request.params;
      return presentWebhook(
        await webhooks.setEnabled(
          requestWorkspace.get(request).id,
          hook_id,
          request.body.enabled,
          requestActor.get(request).identity,
        ),
      );
    },
  );
}

const deleteWebhookSchema = {
  ...operatorRoute,
  summary: 'Delete a webhook and its pending deliveries',
  operationId: 'deleteWebhook',
  description:
    'Deletes the webhook together with its deliveries. With `restorable=true` it can be restored for a minute.',
  params: webhookParamsSchema,
  querystring: restorableQuerySchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'webhook_not_found') },
};

function deleteWebhook(app: TypedApp, { webhooks }: WorkspaceServices): void {
  app.delete(
    '/webhooks/:hook_id',
    { schema: deleteWebhookSchema, ...needs('developers:write', { scope: 'webhooks:write' }) },
    async (request, reply) => {
      await webhooks.delete(requestWorkspace.get(request).id, request.params.hook_id, {
        actor: requestActor.get(request).identity,
        restorableMs: restorableMs(request.query.restorable),
      });
      return reply.code(204).send();
    },
  );
}

const restoreWebhookSchema = {
  ...operatorRoute,
  summary: 'Restore a deleted webhook',
  operationId: 'restoreWebhook',
  description:
    'Takes back a deletion with `restorable=true`, within a minute: the same id, secrets and deliveries. Events of the meantime are not delivered.',
  params: webhookParamsSchema,
  response: { 200: webhookSchema, ...errorResponses('workspace_not_found', 'webhook_not_found') },
};

function restoreWebhook(app: TypedApp, { webhooks }: WorkspaceServices): void {
  app.post(
    '/webhooks/:hook_id/restore',
    { schema: restoreWebhookSchema, ...needs('developers:write', { scope: 'webhooks:write' }) },
    async (request) => {
      const { id } = requestWorkspace.get(request);
      return presentWebhook(
        await webhooks.restore(id, request.params.hook_id, requestActor.get(request).identity),
      );
    },
  );
}

const listDeliveriesSchema = {
  ...operatorRoute,
  summary: 'List the pending and recent deliveries of a webhook, newest first',
  operationId: 'listDeliveries',
  description:
    "Returns the pending deliveries and those of the last week, each with its attempts and the receiver's last response.",
  params: webhookParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ deliveries: z.array(deliverySchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found', 'webhook_not_found'),
  },
};

function listDeliveries(app: TypedApp, { webhooks }: WorkspaceServices): void {
  app.get(
    '/webhooks/:hook_id/deliveries',
    { schema: listDeliveriesSchema, ...needs('developers:read', { scope: 'webhooks:write' }) },
    async (request) => {
      const { hook_id } = request.params;
      const page = await webhooks.deliveries(requestWorkspace.get(request).id, hook_id, request.query);
      return { deliveries: page.items.map(presentDelivery), pagination: presentPagination(page) };
    },
  );
}

const deliveryId = z.string().refine((id) => /^\w+$/.test(id), withErrorCode('delivery_not_found'));

const replayDeliverySchema = {
  ...operatorRoute,
  summary: 'Send a delivery again',
  operationId: 'replayDelivery',
  description: 'Sends the delivery again immediately, with the same id, even if it was already delivered.',
  params: webhookParamsSchema.extend({ delivery_id: deliveryId }),
  response: {
    202: deliverySchema.meta({ description: 'The delivery is queued.' }),
    ...errorResponses('workspace_not_found', 'webhook_not_found', 'delivery_not_found', 'webhook_disabled'),
  },
};

function replayDelivery(app: TypedApp, { webhooks }: WorkspaceServices): void {
  app.post(
    '/webhooks/:hook_id/deliveries/:delivery_id/replay',
    { schema: replayDeliverySchema, ...needs('developers:write', { scope: 'webhooks:write' }) },
    async (request, reply) => {
      const { hook_id, delivery_id } = request.params;
      const replayed = await webhooks.replay(requestWorkspace.get(request).id, hook_id, delivery_id);
      return reply.code(202).send(presentDelivery(replayed));
    },
  );
}

const testWebhookSchema = {
  ...operatorRoute,
  summary: 'Send a test event to a webhook',
  operationId: 'testWebhook',
  description:
    'Sends the event `webhook.test`, whatever the webhook subscribes to. The deliveries show what the receiver answers.',
  params: webhookParamsSchema,
  response: {
    202: deliverySchema.meta({ description: 'The delivery is queued.' }),
    ...errorResponses('workspace_not_found', 'webhook_not_found', 'webhook_disabled'),
  },
};

function testWebhook(app: TypedApp, { webhooks }: WorkspaceServices): void {
  app.post(
    '/webhooks/:hook_id/test',
    { schema: testWebhookSchema, ...needs('developers:write', { scope: 'webhooks:write' }) },
    async (request, reply) => {
      const { identity } = requestActor.get(request);
      const delivery = await webhooks.test(
        requestWorkspace.get(request).id,
        request.params.hook_id,
        identity,
      );
      return reply.code(202).send(presentDelivery(delivery));
    },
  );
}
