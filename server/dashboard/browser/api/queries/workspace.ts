import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type MyWorkspace, useMe } from './me.ts';

/** The workspace of the address; null on screens without one, or if the person may not see it. */
export function useWorkspace(): MyWorkspace | null {
  const { workspaces } = useMe();
  const { workspace: id } = useParams({ strict: false });
  return workspaces.find((each) => each.id === id) ?? null;
}

let lastVisited: string | null = null;

/** The workspace of the address; on screens without one, that of the previous screen, or the first. */
export function useNearestWorkspace(): MyWorkspace | null {
  const { workspaces } = useMe();
  const current = useWorkspace();
  const id = current?.id ?? null;
  useEffect(() => {
    if (id !== null) lastVisited = id;
  }, [id]);
  return current ?? workspaces.find((each) => each.id === lastVisited) ?? workspaces[0] ?? null;
}

/** Whether the person may do something in the workspace of the address, such as `channels:write`. */
export function useMay(permission: string): boolean {
  const { permissions } = useMe();
  const workspace = useNearestWorkspace();
  return permissions.includes(permission) || (workspace?.permissions.includes(permission) ?? false);
}

/** Whether the person may create workspaces for the owner of the workspace of the address. */
export function useMayCreateWorkspaces(): boolean {
  // Rights over the people of an owner need a role in all its workspaces, as creating one does.
  const isOwner = useMay('people:write');
  return useMay('installation:write') || isOwner;
}

/** The id of the workspace of the address. It works only below `WorkspaceGate`. */
export function useWorkspaceId(): string {
  return useWorkspace()?.id ?? '';
}
