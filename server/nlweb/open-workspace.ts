import { AppError } from '../../core/errors.ts';
import { isWorkspaceId } from '../../core/ids.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import { publicWorkspace } from './public-workspace.ts';
import { workspaceParamsSchema } from './workspace-params-schema.ts';

/**
 * Every route of `app` is about the workspace in its path, which its owner opened by `setting`: `workspace_not_found`
 * where it is not, so that strangers do not learn which workspaces there are. An earlier hook may have found the
 * workspace in another way.
 */
export function openWorkspace(
  app: TypedApp,
  { workspaces }: Runtime,
  setting: 'nlweb_enabled' | 'mcp_enabled',
): void {
  app.addHook('onRequest', async (request) => {
    if (publicWorkspace.find(request) !== undefined) return;
    const { workspace_id } = workspaceParamsSchema.parse(request.params);
    const workspace = isWorkspaceId(workspace_id) ? await workspaces.find(workspace_id) : null;
    if (workspace?.settings[setting] !== true) throw new AppError('workspace_not_found');
    publicWorkspace.set(request, workspace);
  });
}
