import type { WorkspaceSettings } from '../workspaces/workspace-settings.ts';

/** Whether a workspace has a skill; all of them where its settings name none. An empty list is none. */
export function isSkillOn({ skills }: WorkspaceSettings, name: string): boolean {
  return skills === undefined || skills.includes(name);
}
