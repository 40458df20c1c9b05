import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { pageQuerySchema } from '../../schemas/page-query-schema.ts';
import { paginationSchema } from '../../schemas/pagination-schema.ts';
import { presentPagination } from '../../schemas/present-pagination.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';
import { presentWorkspace } from './present-workspace.ts';
import { workspaceSchema } from './workspace-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'List the workspaces, newest first',
  operationId: 'listWorkspaces',
  description: 'Returns all workspaces of the installation in pages.',
  querystring: pageQuerySchema,
  response: {
    200: z.object({ workspaces: z.array(workspaceSchema), pagination: paginationSchema }),
  },
};

/** `GET /admin/v1/workspaces`. */
export function getWorkspaces(app: TypedApp, { workspaces }: Runtime): void {
  app.get('/workspaces', { schema }, async (request) => {
    const page = await workspaces.list(request.query);
    return { workspaces: page.items.map(presentWorkspace), pagination: presentPagination(page) };
  });
}
