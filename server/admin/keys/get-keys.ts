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
import { keySchema } from './key-schema.ts';
import { presentKey } from './present-key.ts';

const schema = {
  ...operatorRoute,
  summary: 'List the API keys of a workspace, newest first',
  operationId: 'listKeys',
  description: 'Returns the keys of the workspace without their values.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ keys: z.array(keySchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

/** `GET /admin/v1/workspaces/{workspace_id}/keys`. */
export function getKeys(app: TypedApp, { apiKeys }: Runtime): void {
  app.get('/keys', { schema }, async (request) => {
    const page = await apiKeys.list(addressedWorkspace.of(request).id, request.query);
    return { keys: page.items.map(presentKey), pagination: presentPagination(page) };
  });
}
