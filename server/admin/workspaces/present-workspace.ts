import type { z } from 'zod';
import type { Workspace } from '../../../core/workspaces/workspaces.ts';
import type { workspaceSchema } from './workspace-schema.ts';

export function presentWorkspace(workspace: Workspace): z.output<typeof workspaceSchema> {
  return {
    id: workspace.id,
    owner: workspace.owner,
    name: workspace.name,
    plan: workspace.plan,
    settings: workspace.settings,
    public_token: workspace.publicToken,
    created_at: workspace.createdAt.toISOString(),
  };
}
