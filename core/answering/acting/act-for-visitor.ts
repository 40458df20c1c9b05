import type { AnswerDraft } from '../answer-draft.ts';
import type { Complete } from '../models/complete.ts';
import type { Question } from '../question.ts';
import { chooseSkills } from './choose-skills.ts';
import type { Finding } from './finding-passage.ts';
import { runSkill, type SkillCall } from './run-skill.ts';
import type { SkillSet } from './skill-set.ts';

/** What came of the skills that ran for a question. */
export interface Acted {
  /** To be told as it is; empty where there is nothing to tell. */
  readonly says: string;
  readonly findings: readonly Finding[];
}

/** Does what a model finds asked for in the visitor's own words. */
export async function actForVisitor(
  complete: Complete | null,
  question: Question,
  draft: AnswerDraft,
): Promise<Acted> {
  const calls = complete === null ? [] : await chooseSkills(complete, question, draft);
  return runSkills(question.skills, calls, draft);
}

/** One after the other: a later one may rest on what an earlier one did. */
export async function runSkills(
  set: SkillSet,
  calls: readonly SkillCall[],
  draft: AnswerDraft,
): Promise<Acted> {
  const said: string[] = [];
  const findings: Finding[] = [];
  for (const call of calls) {
    const { says, finding } = await runSkill(set, call, draft);
    if (says !== null) said.push(says);
    if (finding !== null) findings.push({ skill: call.skill.name, text: finding });
  }
  return { says: said.join('\n\n'), findings };
}
