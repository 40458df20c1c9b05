import type { Workspace } from '../workspaces/workspaces.ts';
import type { Quota } from './quota.ts';

/** Counts one message of the workspace's owner for `work`, unless it fails. Throws `quota_exhausted`. */
export async function withQuota<Result>(
  quota: Quota,
  workspace: Workspace,
  work: () => Promise<Result>,
): Promise<Result> {
  const reservation = await quota.reserve(workspace.owner, workspace.plan);
  try {
    return await work();
  } catch (error) {
    await quota.refund(reservation);
    throw error;
  }
}
