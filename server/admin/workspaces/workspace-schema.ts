import { z } from 'zod';
import { planSchema } from '../../../core/workspaces/plan.ts';
import { workspaceSettingsSchema } from '../../../core/workspaces/workspace-settings.ts';

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
