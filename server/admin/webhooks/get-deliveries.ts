import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { pageQuerySchema } from '../../schemas/page-query-schema.ts';
import { paginationSchema } from '../../schemas/pagination-schema.ts';
import { presentPagination } from '../../schemas/present-pagination.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { deliverySchema } from './delivery-schema.ts';
import { presentDelivery } from './present-delivery.ts';
import { webhookParamsSchema } from './webhook-params-schema.ts';

const schema = {
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
export function getDeliveries(app: TypedApp, { webhooks }: Runtime): void {
  app.get('/webhooks/:hook_id/deliveries', { schema }, async (request) => {
    const { hook_id } = request.params;
    const page = await webhooks.deliveries(addressedWorkspace.of(request).id, hook_id, request.query);
    return { deliveries: page.items.map(presentDelivery), pagination: presentPagination(page) };
  });
}
