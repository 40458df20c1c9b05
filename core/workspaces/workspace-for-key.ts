import { AppError } from '../errors.ts';
import type { KeyHolder } from './api-keys.ts';
import { plans } from './plan.ts';
import type { Workspace, Workspaces } from './workspaces.ts';

/**
 * The workspace a request is about: the one it names, or the key's own. Throws `workspace_not_found`,
 * `workspace_access_denied` for one of another owner, and `feature_not_in_plan` for one without API access.
 */
export async function workspaceForKey(
  workspaces: Workspaces,
  key: KeyHolder,
  workspaceId: string | undefined,
): Promise<Workspace> {
  const workspace = await workspaces.get(workspaceId ?? key.workspaceId);
  if (workspace.owner !== key.ownerId) throw new AppError('workspace_access_denied');
  if (!plans[workspace.plan].apiAccess) throw new AppError('feature_not_in_plan');
  return workspace;
}
