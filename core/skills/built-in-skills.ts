import type { Skill } from '../contract/skill.ts';
import { personSkill } from '../contract/skill.ts';
import type { WorkspaceSettings } from '../workspaces/workspace-settings.ts';
import { collectLead } from './collect-lead/collect-lead.ts';
import { escalateToHuman } from './escalate-to-human/escalate-to-human.ts';
import { isSkillOn } from './is-skill-on.ts';

export const builtInSkillNames = ['knowledge_search', 'collect_lead', personSkill] as const;

/** The skills of ours that are switched on, the one that wins first; the search is the engine's own. */
export function builtInSkills(settings: WorkspaceSettings): readonly Skill[] {
  return [escalateToHuman(settings), collectLead()].filter(({ name }) => isSkillOn(settings, name));
}
