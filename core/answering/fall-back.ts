import { personSkill } from '../contract/skill.ts';
import { RELATED_THRESHOLD } from '../knowledge/confidence.ts';
import { runSkill } from './acting/run-skill.ts';
import type { AnswerDraft } from './answer-draft.ts';
import { fallbackMessage } from './fallback-message.ts';
import type { Question } from './question.ts';
import { sourceOf, type UsablePassage } from './source-of.ts';

const nearMissesShown = 3;

/** Says that there is no answer and, where the workspace wants it after so many of those, asks a person. */
export async function fallBack(
  question: Question,
  usable: readonly UsablePassage[],
  draft: AnswerDraft,
): Promise<void> {
  const nearMisses = usable.filter((passage) => passage.score >= RELATED_THRESHOLD);
  draft.restOn({ confidence: 'low', sources: nearMisses.slice(0, nearMissesShown).map(sourceOf) });
  draft.beginParagraph();
  await draft.say(question.fallbackMessage ?? fallbackMessage(question.text));
  const { skills, escalateAfter, fallbacks, moment } = question.skills;
  const inARow = fallbacks + 1;
  const person = skills.find(({ name }) => name === personSkill);
  if (person === undefined || escalateAfter === null || inARow < escalateAfter || moment.withPerson) return;
  const given = { reason: `No answer was found, ${inARow} times in a row.` };
  const { says } = await runSkill(question.skills, { skill: person, given }, draft);
  draft.beginParagraph();
  if (says !== null) await draft.say(says);
}
