import { humanSkill, type Skill } from '../../contract/skill.ts';
import type { WorkspaceSettings } from '../../workspaces/workspace-settings.ts';
import { collectLead } from './collect-lead/collect-lead.ts';
import { escalateToHuman } from './escalate-to-human/escalate-to-human.ts';

export const builtInSkillNames = ['knowledge_search', 'collect_lead', humanSkill] as const;

/** Returns the enabled built-in skills in order of precedence. `knowledge_search` is part of the engine itself. */
export function builtInSkills(settings: WorkspaceSettings): readonly Skill[] {
  return [escalateToHuman(settings), collectLead()].filter(({ name }) => isSkillEnabled(settings, name));
}

/** Returns whether a skill is enabled. Without the setting all are; an empty list disables all. */
export function isSkillEnabled({ skills }: WorkspaceSettings, name: string): boolean {
  return skills === undefined || skills.includes(name);
}
