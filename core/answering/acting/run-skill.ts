import type { Skill, SkillOutcome } from '../../contract/skill.ts';
import type { AnswerDraft } from '../answer-draft.ts';
import { signInMessage } from './sign-in-message.ts';
import { momentFor, type SkillSet } from './skill-set.ts';

export interface SkillCall {
  readonly skill: Skill;
  /** Not yet checked. */
  readonly given: unknown;
}

/** Runs a skill for the visitor, or tells him why it is not run. What it did is in the draft. */
export async function runSkill(
  set: SkillSet,
  { skill, given }: SkillCall,
  draft: AnswerDraft,
): Promise<SkillOutcome> {
  if (skill.runsFor === 'verified' && set.moment.userId === null) {
    return { says: signInMessage(set.moment.language), finding: null, effects: [] };
  }
  const outcome = await draft.wait(skill.run(given, momentFor(set, skill, draft.signal)));
  draft.fire({ skill: skill.name, effects: outcome.effects });
  return outcome;
}
