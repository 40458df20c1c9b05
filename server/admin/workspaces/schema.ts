import { z } from 'zod';
import { planSchema } from '../../../core/workspaces/plan.ts';
import { workspaceSettingsSchema } from '../../../core/workspaces/workspace-settings.ts';
import type { Workspace } from '../../../core/workspaces/workspaces.ts';

/** A workspace as the operator sees it. */
export const workspaceSchema = z
  .object({
    id: z.string(),
    owner: z.string(),
    name: z.string(),
    plan: planSchema,
    settings: workspaceSettingsSchema,
    public_token: z.string().meta({ description: 'For browsers: opens the widget only.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Workspace' });

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
