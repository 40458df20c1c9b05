import { AppError } from '../../../core/errors.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { presentSkill } from './present-skill.ts';
import { skillFieldsSchema } from './skill-fields-schema.ts';
import { skillParamsSchema } from './skill-params-schema.ts';
import { skillSchema } from './skill-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Change an HTTP skill, or switch it on or off',
  operationId: 'updateSkill',
  description: 'Changes only the fields that are sent. The name and the secret stay.',
  params: skillParamsSchema,
  body: skillFieldsSchema.partial(),
  response: { 200: skillSchema, ...errorResponses('workspace_not_found', 'skill_not_found') },
};

/** `PATCH /admin/v1/workspaces/{workspace_id}/skills/{skill_id}`. */
export function patchSkill(app: TypedApp, { httpSkills }: Runtime): void {
  app.patch('/skills/:skill_id', { schema }, async (request) => {
    const { timeout_seconds: seconds, runs_for: runsFor, ...fields } = request.body;
    if (Object.keys(request.body).length === 0) {
      const detail =
        'Nothing to change: give description, parameters, url, timeout_seconds, runs_for or enabled.';
      throw new AppError('missing_field', { detail });
    }
    const change = { ...fields, runsFor, timeoutMs: seconds === undefined ? undefined : seconds * 1_000 };
    const { skill_id } = request.params;
    return presentSkill(await httpSkills.change(addressedWorkspace.of(request).id, skill_id, change));
  });
}
