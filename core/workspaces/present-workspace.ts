import type { Selectable } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { planSchema } from './plan.ts';
import { workspaceSettingsSchema } from './workspace-settings.ts';
import type { Workspace } from './workspaces.ts';

type Row = Pick<
  Selectable<Tables['workspace']>,
  'id' | 'owner_id' | 'name' | 'plan' | 'settings' | 'public_token' | 'own_skills'
> & {
  /** A string where the row came as JSON. */
  readonly created_at: Date | string;
};

export function presentWorkspace(row: Row): Workspace {
  return {
    id: row.id,
    owner: row.owner_id,
    name: row.name,
    plan: planSchema.parse(row.plan),
    settings: workspaceSettingsSchema.parse(row.settings),
    publicToken: row.public_token,
    hasOwnSkills: row.own_skills,
    createdAt: new Date(row.created_at),
  };
}
