import type { ActionOffer, WriterPassage } from '../contract/answer-writer.ts';
import type { Skill, SkillOutcome } from '../contract/skill.ts';
import type { AwaitedReply } from '../conversations/conversation-memory.ts';
import type { Turn } from '../conversations/turn.ts';
import { AppError } from '../errors.ts';
import type { AnswerDraft, SkillRun } from './answer-draft.ts';
import { signInMessage } from './localised-texts.ts';
import type { Complete } from './models/complete.ts';
import { chooseSkillsPrompt } from './prompts/choose-skills-v1.ts';
import { type Question, type SkillSet, skillMoment } from './question.ts';

/** What came of the skills that ran for a question. */
export interface SkillResults {
  /** To be told as it is; empty where there is nothing to tell. */
  readonly says: string;
  readonly findings: readonly SkillFinding[];
}

/** Does what a model finds asked for in the visitor's own words. */
export async function runRequestedSkills(
  complete: Complete | null,
  question: Question,
  draft: AnswerDraft,
): Promise<SkillResults> {
  const calls = complete === null ? [] : await chooseSkills(complete, question, draft);
  return runSkills(question.skills, calls, draft);
}

/** One after the other: a later one may rest on what an earlier one did. */
export async function runSkills(
  set: SkillSet,
  calls: readonly SkillCall[],
  draft: AnswerDraft,
): Promise<SkillResults> {
  const said: string[] = [];
  const findings: SkillFinding[] = [];
  for (const call of calls) {
    const { reply, finding } = await runSkill(set, call, draft);
    if (reply !== null) said.push(reply);
    if (finding !== null) findings.push({ skill: call.skill.name, text: finding });
  }
  return { says: said.join('\n\n'), findings };
}

/** More than anybody asks for in one message. */
const MOST_CALLS = 3;

/**
 * The skills that a model finds asked for in the visitor's own words; none where no model answers, for then the answer
 * goes on without.
 */
async function chooseSkills(
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
    const completion = await draft.wait(
      complete({ messages, tools: offered.map(toActionOffer), model, signal }),
    );
    draft.spend(completion.tokensUsed);
    const calls = completion.toolCalls.flatMap(({ name, given }) => {
      const skill = offered.find((one) => one.name === name);
      return skill === undefined ? [] : [{ skill, given }];
    });
    return firstCallOfEach(calls).slice(0, MOST_CALLS);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

function firstCallOfEach(calls: readonly SkillCall[]): readonly SkillCall[] {
  const seen = new Set<Skill>();
  return calls.filter(({ skill }) => !seen.has(skill) && seen.add(skill));
}

/** The skill that the visitor asked for by a button, or the first one that his own words call for, whatever a model would say of them. */
export function matchSkillTrigger(set: SkillSet, signal: AbortSignal): SkillCall | null {
  const wanted = set.skills.find(({ name }) => name === set.wanted);
  if (wanted !== undefined) return { skill: wanted, given: {} };
  // What a skill asked the visitor for is its to take, before another one makes something else of it.
  const inOrder = set.skills.toSorted((one, other) => rank(set, one.name) - rank(set, other.name));
  for (const skill of inOrder) {
    const given = skill.trigger(skillMoment(set, skill, signal));
    if (given !== null) return { skill, given };
  }
  return null;
}

function rank({ awaited }: SkillSet, name: string): number {
  return awaited?.skill === name ? 0 : 1;
}

interface SkillCall {
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
    return { reply: signInMessage(set.moment.language), finding: null, effects: [] };
  }
  const outcome = await draft.wait(skill.run(given, skillMoment(set, skill, draft.signal)));
  draft.fire({ skill: skill.name, effects: outcome.effects });
  return outcome;
}

export interface SkillFinding {
  /** Of the skill. */
  readonly skill: string;
  readonly text: string;
}

/** What a skill found out, as something that an answer may rest on. It is of no document, and never shown as a source. */
export function toFindingPassage({ skill, text }: SkillFinding): WriterPassage {
  return {
    chunkId: `finding:${skill}`,
    documentId: '',
    title: skill,
    url: null,
    headings: [],
    text,
    score: 1,
  };
}

/** A skill as a model is told of it. */
export function toActionOffer({ name, description, parameters }: Skill): ActionOffer {
  return { name, description, parameters };
}

/** What is stored of the skills that ran, `awaited` being what one of them had asked for before. Pure. */
export function toStoredEffects(
  fired: readonly SkillRun[],
  awaited: AwaitedReply | null,
): Pick<Turn, 'effects' | 'awaited'> {
  const asked = fired.flatMap(({ skill, effects }) =>
    effects.flatMap((effect) =>
      effect.kind === 'await' ? [{ skill, state: effect.state, messages: effect.messages }] : [],
    ),
  );
  return {
    effects: fired.flatMap(({ effects }) => effects.filter(({ kind }) => kind !== 'await')),
    awaited: asked.at(-1) ?? stillAwaited(awaited, fired),
  };
}

/** Who asks something else first may still tell what he was asked for. */
function stillAwaited(awaited: AwaitedReply | null, fired: readonly SkillRun[]): Turn['awaited'] {
  if (awaited === null) return undefined;
  const isOver = awaited.messages <= 1 || fired.some(({ skill }) => skill === awaited.skill);
  return isOver ? null : { ...awaited, messages: awaited.messages - 1 };
}
