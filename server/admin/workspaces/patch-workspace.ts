import { z } from 'zod';
import { requireModel } from '../../../core/answering/models/require-model.ts';
import { AppError } from '../../../core/errors.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { planSchema } from '../../../core/workspaces/plan.ts';
import { workspaceSettingsChangeSchema } from '../../../core/workspaces/workspace-settings-change.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { nameSchema } from '../../schemas/name-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { presentWorkspace } from './present-workspace.ts';
import { workspaceSchema } from './workspace-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Change a workspace; a setting of null is cleared',
  operationId: 'updateWorkspace',
  description:
    'Changes only the fields that are sent. `settings` is merged into the settings there are; a setting of null is cleared.',
  params: workspaceParamsSchema,
  body: z.object({
    name: nameSchema.optional(),
    plan: planSchema.optional(),
    settings: workspaceSettingsChangeSchema.optional(),
  }),
  response: { 200: workspaceSchema, ...errorResponses('workspace_not_found', 'plan_downgrade_blocked') },
};

/** `PATCH /admin/v1/workspaces/{workspace_id}`. */
export function patchWorkspace(app: TypedApp, { config, workspaces }: Runtime): void {
  app.patch('', { schema }, async (request) => {
    if (Object.keys(request.body).length === 0) {
      throw new AppError('missing_field', { detail: 'Nothing to change: give name, plan or settings.' });
    }
    requireModel(config, request.body.settings?.model);
    return presentWorkspace(await workspaces.update(addressedWorkspace.of(request).id, request.body));
  });
}
