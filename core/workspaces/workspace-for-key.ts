import { AppError } from '../errors.ts';
import type { KeyHolder } from '../limits/admission.ts';
import { plans } from './plan.ts';
import type { Workspace, Workspaces } from './workspaces.ts';

/**
 * The workspace a request is about: the one it names, or the key's own. Throws `workspace_not_found`,
 * `workspace_access_denied` for one of another owner, and `feature_not_in_plan` for one without API access.
 */
export async function workspaceForKey(
  workspaces: Workspaces,
  holder: KeyHolder,
  workspaceId: string | undefined,
): Promise<Workspace> {
  if (workspaceId === undefined || workspaceId === holder.workspace.id) return holder.workspace;
  const workspace = await workspaces.get(workspaceId);
  if (workspace.owner !== holder.workspace.owner) throw new AppError('workspace_access_denied');
  if (!plans[workspace.plan].apiAccess) throw new AppError('feature_not_in_plan');
  return workspace;
}
