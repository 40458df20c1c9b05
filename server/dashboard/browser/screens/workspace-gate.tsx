import { Outlet } from '@tanstack/react-router';
import { useWorkspace } from '../api/queries/workspace.ts';
import { NothingHere } from './nothing-here.tsx';

/** The screens of a workspace, for a person who may see it. */
export function WorkspaceGate() {
  return useWorkspace() === null ? <NothingHere /> : <Outlet />;
}
