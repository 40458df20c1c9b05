import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { noContentSchema } from '../../schemas/no-content-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Delete a workspace with all that is in it',
  operationId: 'deleteWorkspace',
  description:
    'Deletes the workspace with its documents, conversations, channels and keys. Its keys stop working at once. This cannot be undone.',
  params: workspaceParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found') },
};

/** `DELETE /admin/v1/workspaces/{workspace_id}`. */
export function deleteWorkspace(app: TypedApp, { workspaces, channels }: Runtime): void {
  app.delete('', { schema }, async (request, reply) => {
    const { id } = addressedWorkspace.of(request);
    await workspaces.delete(id);
    await channels.retireAll(id);
    return reply.code(204).send();
  });
}
