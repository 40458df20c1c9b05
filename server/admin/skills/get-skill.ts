import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { presentSkill } from './present-skill.ts';
import { skillParamsSchema } from './skill-params-schema.ts';
import { skillSchema } from './skill-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Read an HTTP skill',
  operationId: 'getSkill',
  description: 'Returns the skill without its secret.',
  params: skillParamsSchema,
  response: { 200: skillSchema, ...errorResponses('workspace_not_found', 'skill_not_found') },
};

/** `GET /admin/v1/workspaces/{workspace_id}/skills/{skill_id}`. */
export function getSkill(app: TypedApp, { httpSkills }: Runtime): void {
  app.get('/skills/:skill_id', { schema }, async (request) =>
    presentSkill(await httpSkills.get(addressedWorkspace.of(request).id, request.params.skill_id)),
  );
}
