import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { answerWith } from '../../schemas/answer-with.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { deliverySchema } from './delivery-schema.ts';
import { presentDelivery } from './present-delivery.ts';
import { webhookParamsSchema } from './webhook-params-schema.ts';

const deliveryId = z.string().refine((id) => /^\w+$/.test(id), answerWith('delivery_not_found'));

const schema = {
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
export function replayDelivery(app: TypedApp, { webhooks }: Runtime): void {
  app.post('/webhooks/:hook_id/deliveries/:delivery_id/replay', { schema }, async (request, reply) => {
    const { hook_id, delivery_id } = request.params;
    const replayed = await webhooks.replay(addressedWorkspace.of(request).id, hook_id, delivery_id);
    return reply.code(202).send(presentDelivery(replayed));
  });
}
