import type { Skill } from '../../contract/skill.ts';
import { AppError } from '../../errors.ts';
import type { AnswerDraft } from '../answer-draft.ts';
import type { Complete } from '../models/complete.ts';
import { chooseSkillsPrompt } from '../prompts/choose-skills-v1.ts';
import type { Question } from '../question.ts';
import type { SkillCall } from './run-skill.ts';
import { toolOffer } from './tool-offer.ts';

/** More than anybody asks for in one message. */
const MOST_CALLS = 3;

/**
 * The skills that a model finds asked for in the visitor's own words; none where no model answers, for then the answer
 * goes on without.
 */
export async function chooseSkills(
  complete: Complete,
  { text, model, earlierTurns, skills }: Question,
  draft: AnswerDraft,
): Promise<readonly SkillCall[]> {
  const { skills: offered } = skills;
  const messages = chooseSkillsPrompt({
    question: text,
    earlierQuestions: earlierTurns.map((turn) => turn.question),
  });
  const { signal } = draft;
  try {
    const completion = await draft.wait(complete({ messages, tools: offered.map(toolOffer), model, signal }));
    draft.spend(completion.tokensUsed);
    const calls = completion.toolCalls.flatMap(({ name, given }) => {
      const skill = offered.find((one) => one.name === name);
      return skill === undefined ? [] : [{ skill, given }];
    });
    return firstOfEach(calls).slice(0, MOST_CALLS);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

function firstOfEach(calls: readonly SkillCall[]): readonly SkillCall[] {
  const seen = new Set<Skill>();
  return calls.filter(({ skill }) => !seen.has(skill) && seen.add(skill));
}
