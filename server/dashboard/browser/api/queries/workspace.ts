import { useParams } from '@tanstack/react-router';
import { type MyWorkspace, useMe } from './me.ts';

/** The workspace of the address, or null on screens without one and if the person may not see it. */
export function useWorkspace(): MyWorkspace | null {
  const { workspaces } = useMe();
  const { workspace: id } = useParams({ strict: false });
  return workspaces.find((each) => each.id === id) ?? null;
}

/** Whether the person may do something in the workspace of the address, such as `channels:write`. */
export function useMay(permission: string): boolean {
  const { permissions } = useMe();
  const workspace = useWorkspace();
  return permissions.includes(permission) || (workspace?.permissions.includes(permission) ?? false);
}
