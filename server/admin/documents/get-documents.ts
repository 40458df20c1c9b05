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
import { documentSchema } from './document-schema.ts';
import { presentDocument } from './present-document.ts';

const schema = {
  ...operatorRoute,
  summary: 'List the documents of a workspace, latest first',
  operationId: 'listDocuments',
  description: 'Returns the documents of the workspace with the state of their indexing.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ documents: z.array(documentSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

/** `GET /admin/v1/workspaces/{workspace_id}/documents`. */
export function getDocuments(app: TypedApp, { documents }: Runtime): void {
  app.get('/documents', { schema }, async (request) => {
    const page = await documents.list(addressedWorkspace.of(request).id, request.query);
    return { documents: page.items.map(presentDocument), pagination: presentPagination(page) };
  });
}
