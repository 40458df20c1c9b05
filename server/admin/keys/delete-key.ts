import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { noContentSchema } from '../../schemas/no-content-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { keyParamsSchema } from './key-params-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Revoke an API key',
  operationId: 'revokeKey',
  description: 'Revokes the key. Requests with it are refused with `401 invalid_key` from now on.',
  params: keyParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'key_not_found') },
};

/** `DELETE /admin/v1/workspaces/{workspace_id}/keys/{key_id}`. */
export function deleteKey(app: TypedApp, { apiKeys }: Runtime): void {
  app.delete('/keys/:key_id', { schema }, async (request, reply) => {
    await apiKeys.revoke(addressedWorkspace.of(request).id, request.params.key_id);
    return reply.code(204).send();
  });
}
