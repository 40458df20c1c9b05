import { z } from 'zod';
import type { Runtime } from '../../core/runtime.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';
import { requireWorkspacePermission } from '../plugins/operator-access.ts';
import { RequestContext } from '../request-context.ts';
import { workspaceIdSchema } from '../schemas/fields.ts';
import type { TypedApp } from '../typed-app.ts';

/** Properties that all operator routes share. */
export const operatorRoute = { tags: ['Operator'], security: [{ adminToken: [] }, { session: [] }] };

/** The path parameters of all routes below a workspace. */
export const workspaceParamsSchema = z.object({ workspace_id: workspaceIdSchema });

/** The workspace that the path of the request refers to. */
export const requestWorkspace = new RequestContext<Workspace>('workspace');

/** Loads the workspace in the path before each route of `app`. Throws `workspace_not_found`. */
export function loadRequestWorkspace(app: TypedApp, { workspaces }: Runtime): void {
  app.addHook('preHandler', async (request) => {
    const { workspace_id } = workspaceParamsSchema.parse(request.params);
    const workspace = await workspaces.get(workspace_id);
    requireWorkspacePermission(request, workspace);
    requestWorkspace.set(request, workspace);
  });
}
