import { z } from 'zod';
import type { Runtime } from '../../core/runtime.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';
import { RequestContext } from '../request-context.ts';
import { workspaceIdSchema } from '../schemas/fields.ts';
import type { TypedApp } from '../typed-app.ts';

/** What the descriptions of all operator routes have in common. */
export const operatorRoute = { tags: ['Operator'], security: [{ adminToken: [] }] };

/** The path parameters of everything below a workspace. */
export const workspaceParamsSchema = z.object({ workspace_id: workspaceIdSchema });

/** The workspace that the path of a request names. */
export const requestWorkspace = new RequestContext<Workspace>('workspace');

/** Every route of `app` is about the workspace in its path: `workspace_not_found` when there is none. */
export function loadRequestWorkspace(app: TypedApp, { workspaces }: Runtime): void {
  app.addHook('preHandler', async (request) => {
    const { workspace_id } = workspaceParamsSchema.parse(request.params);
    requestWorkspace.set(request, await workspaces.get(workspace_id));
  });
}
