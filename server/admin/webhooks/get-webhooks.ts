import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { pageQuerySchema } from '../../schemas/page-query-schema.ts';
import { paginationSchema } from '../../schemas/pagination-schema.ts';
import { presentPagination } from '../../schemas/present-pagination.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { presentWebhook } from './present-webhook.ts';
import { webhookSchema } from './webhook-schema.ts';

const schema = {
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
export function getWebhooks(app: TypedApp, { webhooks }: Runtime): void {
  app.get('/webhooks', { schema }, async (request) => {
    const page = await webhooks.list(addressedWorkspace.of(request).id, request.query);
    return { webhooks: page.items.map(presentWebhook), pagination: presentPagination(page) };
  });
}
