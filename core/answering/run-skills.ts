import { AppError } from '../base/errors.ts';
import type { ActionOffer, WriterPassage } from '../contract/answer-writer.ts';
import type { Skill, SkillOutcome } from '../contract/skill.ts';
import type { AwaitedReply, ConversationMemory } from '../conversations/conversation-memory.ts';
import type { Turn } from '../conversations/messages/turn.ts';
import { chooseLanguage, detectReliably } from '../language/language.ts';
import { findText } from '../language/localised-texts.ts';
import type { Complete } from '../models/complete.ts';
import type { VerifiedVisitor } from '../workspaces/identity.ts';
import type { AskDependencies, AskRequest } from './ask-request.ts';
import type { SkillFinding } from './asked.ts';
import { chooseSkillsPrompt } from './prompts/choose-skills-v2.ts';
import { type Question, type SkillSet, skillMoment } from './question.ts';
import { builtInSkills, isSkillEnabled } from './skills/built-in-skills.ts';
import type { SkillCaller } from './trace/recorder.ts';
import type { AnswerDraft, SkillRun } from './writing/answer-draft.ts';

/** The combined results of the skills that ran for a question. */
export interface SkillResults {
  /** The text for the visitor, unchanged; empty if no skill has a reply. */
  readonly says: string;
  readonly findings: readonly SkillFinding[];
}

/** Runs the skills that a model finds requested in the visitor's own words. */
export async function runRequestedSkills(
  complete: Complete | null,
  question: Question,
  draft: AnswerDraft,
): Promise<SkillResults> {
  const calls = complete === null ? [] : await chooseSkills(complete, question, draft);
  return runSkills(question.skills, calls, draft, 'model');
}

/** Runs skills one after the other, because a later one may depend on an earlier one. */
export async function runSkills(
  set: SkillSet,
  calls: readonly SkillCall[],
  draft: AnswerDraft,
  by: SkillCaller = 'words',
): Promise<SkillResults> {
  const replies: string[] = [];
  const findings: SkillFinding[] = [];
  for (const call of calls) {
    const { reply, finding } = await runSkill(set, call, draft, by);
    if (reply !== null) replies.push(reply);
    if (finding !== null) findings.push({ skill: call.skill.name, text: finding });
  }
  return { says: replies.join('\n\n'), findings };
}

/** More than any message requests in practice. */
const MAX_CALLS = 3;

/**
 * Returns the skills that a model finds requested in the visitor's own words. If no model responds, returns none, so that
 * the answer continues without skills.
 */
async function chooseSkills(
  complete: Complete,
  { text, words = text, model, earlierTurns, skills }: Question,
  draft: AnswerDraft,
): Promise<readonly SkillCall[]> {
  const { skills: offered } = skills;
  const messages = chooseSkillsPrompt({
    question: words,
    earlierQuestions: earlierTurns.map((turn) => turn.question),
  });
  const { signal } = draft;
  try {
    const completion = await draft.wait(
      complete({
        ...{ messages, tools: offered.map(toActionOffer), model, signal },
        observe: draft.trace?.observe('skills'),
      }),
    );
    draft.spend(completion.tokensUsed);
    const calls = completion.toolCalls.flatMap(({ name, given }) => {
      const skill = offered.find((candidate) => candidate.name === name);
      return skill === undefined ? [] : [{ skill, given }];
    });
    return firstCallOfEach(calls).slice(0, MAX_CALLS);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

function firstCallOfEach(calls: readonly SkillCall[]): readonly SkillCall[] {
  const seen = new Set<Skill>();
  return calls.filter(({ skill }) => !seen.has(skill) && seen.add(skill));
}

/**
 * Returns the skill that the visitor requested by a button, or the first one triggered by the visitor's own words. No
 * model is involved.
 */
export function matchSkillTrigger(set: SkillSet, signal: AbortSignal): SkillCall | null {
  const wanted = set.skills.find(({ name }) => name === set.wanted);
  if (wanted !== undefined) return { skill: wanted, given: {} };
  // A skill that waits for a reply takes precedence over others that would interpret it differently.
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
  /** Not yet validated. */
  readonly given: unknown;
}

/** Runs a skill, or replies that the visitor must sign in first. The draft records the effects. */
export async function runSkill(
  set: SkillSet,
  { skill, given }: SkillCall,
  draft: AnswerDraft,
  by: SkillCaller,
): Promise<SkillOutcome> {
  const traced = draft.trace?.skill(skill.name, by);
  if (skill.runsFor === 'verified' && set.moment.userId === null) {
    traced?.('sign_in');
    return { reply: findText('signIn', set.moment.language), finding: null, effects: [] };
  }
  const running = draft.wait(skill.run(given, skillMoment(set, skill, draft.signal)));
  const outcome = await running.catch((error: unknown) => {
    traced?.('failed');
    throw error;
  });
  traced?.(outcome.reply !== null ? 'replied' : outcome.finding === null ? 'silent' : 'found');
  draft.fire({ skill: skill.name, effects: outcome.effects });
  return outcome;
}

/** Returns a finding as a passage for the writer. It belongs to no document and is never shown as a source. */
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

/** Returns a skill's description for a model. */
export function toActionOffer({ name, description, parameters }: Skill): ActionOffer {
  return { name, description, parameters };
}

/** Returns what is stored of the skills that ran. `awaited` is the pending request before this question. Pure. */
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

/** Keeps a pending request while the visitor writes about something else, up to its number of messages. */
function stillAwaited(awaited: AwaitedReply | null, fired: readonly SkillRun[]): Turn['awaited'] {
  if (awaited === null) return undefined;
  const isOver = awaited.messages <= 1 || fired.some(({ skill }) => skill === awaited.skill);
  return isOver ? null : { ...awaited, messages: awaited.messages - 1 };
}

interface SkillSetRequest {
  readonly request: AskRequest;
  readonly memory: ConversationMemory;
  readonly visitor: VerifiedVisitor | null;
}

/** Loads the skills that may run for the visitor, and their context. */
export async function loadSkillSet(
  { clock, complete, httpSkills }: Pick<AskDependencies, 'clock' | 'complete' | 'httpSkills'>,
  { request, memory, visitor }: SkillSetRequest,
): Promise<SkillSet> {
  const { workspace, channel, conversationId, question } = request;
  const { settings } = workspace;
  // The workspace's own HTTP skills need a model: they have no triggers.
  const own = complete === null || !workspace.hasOwnSkills ? [] : await httpSkills.enabledFor(workspace.id);
  const earlierQuestions = memory.turns.map((turn) => turn.question);
  return {
    skills: [...builtInSkills(settings), ...own.filter(({ name }) => isSkillEnabled(settings, name))],
    moment: {
      workspaceId: workspace.id,
      channel,
      conversationId,
      question,
      language:
        request.locale ??
        chooseLanguage(
          [question, ...earlierQuestions.toReversed()],
          [request.language, detectReliably(settings.description ?? '')],
        ),
      earlierQuestions,
      customer: knownCustomer(memory, visitor),
      userId: visitor?.userId ?? null,
      withPerson: memory.withPerson,
      now: clock.now(),
    },
    awaited: memory.awaited,
    wanted: request.skill ?? null,
    fallbacks: memory.fallbacks,
    escalateAfter: settings.escalate_after_fallbacks ?? null,
  };
}

/** Prefers the verified profile over facts stated in the conversation. */
function knownCustomer(
  { customer }: ConversationMemory,
  visitor: VerifiedVisitor | null,
): SkillSet['moment']['customer'] {
  return {
    name: visitor?.customer.name ?? customer.name,
    email: visitor?.customer.email ?? customer.email,
    phone: visitor?.customer.phone ?? customer.phone,
  };
}
