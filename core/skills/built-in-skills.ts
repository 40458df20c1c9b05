import { humanSkill, type Skill } from '../contract/skill.ts';
import type { WorkspaceSettings } from '../workspaces/workspace-settings.ts';
import { collectLead } from './collect-lead/collect-lead.ts';
import { escalateToHuman } from './escalate-to-human/escalate-to-human.ts';

export const builtInSkillNames = ['knowledge_search', 'collect_lead', humanSkill] as const;

/** The skills of ours that are switched on, the one that wins first; the search is the engine's own. */
export function builtInSkills(settings: WorkspaceSettings): readonly Skill[] {
  return [escalateToHuman(settings), collectLead()].filter(({ name }) => isSkillEnabled(settings, name));
}

/** Whether a workspace has a skill; all of them where its settings name none. An empty list is none. */
export function isSkillEnabled({ skills }: WorkspaceSettings, name: string): boolean {
  return skills === undefined || skills.includes(name);
}
