import type { Skill } from '../contract/skill.ts';
import type { WorkspaceSettings } from '../workspaces/workspace-settings.ts';

export function isSkillOn(settings: WorkspaceSettings, name: string): boolean {
  return settings.skills?.includes(name) ?? true;
}

export function builtInSkills(_settings: WorkspaceSettings): readonly Skill[] {
  return [];
}
