import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { noContentSchema } from '../../schemas/no-content-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { skillParamsSchema } from './skill-params-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Delete an HTTP skill',
  operationId: 'deleteSkill',
  description: 'Deletes the skill. It is not called from now on.',
  params: skillParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'skill_not_found') },
};

/** `DELETE /admin/v1/workspaces/{workspace_id}/skills/{skill_id}`. */
export function deleteSkill(app: TypedApp, { httpSkills }: Runtime): void {
  app.delete('/skills/:skill_id', { schema }, async (request, reply) => {
    await httpSkills.delete(addressedWorkspace.of(request).id, request.params.skill_id);
    return reply.code(204).send();
  });
}
