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
import { presentSkill } from './present-skill.ts';
import { skillSchema } from './skill-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'List the HTTP skills of a workspace, newest first',
  operationId: 'listSkills',
  description: 'Returns the HTTP skills of the workspace without their secrets.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ skills: z.array(skillSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

/** `GET /admin/v1/workspaces/{workspace_id}/skills`. */
export function getSkills(app: TypedApp, { httpSkills }: Runtime): void {
  app.get('/skills', { schema }, async (request) => {
    const page = await httpSkills.list(addressedWorkspace.of(request).id, request.query);
    return { skills: page.items.map(presentSkill), pagination: presentPagination(page) };
  });
}
