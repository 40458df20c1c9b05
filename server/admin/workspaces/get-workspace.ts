import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { presentWorkspace } from './present-workspace.ts';
import { workspaceSchema } from './workspace-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Read a workspace',
  operationId: 'getWorkspace',
  description: 'Returns the workspace with its settings. Its identity secret is never returned.',
  params: workspaceParamsSchema,
  response: { 200: workspaceSchema, ...errorResponses('workspace_not_found') },
};

/** `GET /admin/v1/workspaces/{workspace_id}`. */
export function getWorkspace(app: TypedApp): void {
  app.get('', { schema }, async (request) => presentWorkspace(addressedWorkspace.of(request)));
}
