import type { Runtime } from '../../core/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import { addressedWorkspace } from './addressed-workspace.ts';
import { workspaceParamsSchema } from './workspace-params-schema.ts';

/** Every route of `app` is about the workspace in its path: `workspace_not_found` when there is none. */
export function findWorkspace(app: TypedApp, { workspaces }: Runtime): void {
  app.addHook('preHandler', async (request) => {
    const { workspace_id } = workspaceParamsSchema.parse(request.params);
    addressedWorkspace.set(request, await workspaces.get(workspace_id));
  });
}
