import type { Answer, DecisionRecord, EarlierTurn } from '../contract/answer.ts';
import type { AnswerTrace } from '../contract/trace/answer-trace.ts';
import type { AwaitedReply } from '../conversations/conversation-memory.ts';
import type { CuratedContent } from '../knowledge/curated/curated-answer.ts';
import { draftAnswer } from '../knowledge/curated/drafted-answer.ts';
import type { SearchDependencies } from '../knowledge/search.ts';
import { chooseLanguage } from '../language/language.ts';
import { ownFallbackMessage } from '../language/localised-texts.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import { takeInTurn, type UsablePassage } from './answer.ts';
import { type AskDependencies, withOwnerModels } from './ask-request.ts';
import { toDecisionRecord } from './decision-record.ts';
import { answerQuestion } from './engine.ts';
import { maskQuestion } from './masking.ts';
import type { Question } from './question.ts';
import { answerRules, tiersOf } from './rules.ts';
import { toStoredEffects } from './run-skills.ts';
import { isSkillEnabled } from './skills/built-in-skills.ts';
import { escalateToHuman } from './skills/escalate-to-human/escalate-to-human.ts';
import { TraceRecorder } from './trace/recorder.ts';
import { toTrace } from './trace/to-trace.ts';
import { AnswerDraft } from './writing/answer-draft.ts';

export interface RehearsalDependencies
  extends Pick<
    AskDependencies,
    'clock' | 'database' | 'embedder' | 'reranker' | 'passageReader' | 'writer' | 'complete' | 'ownerModels'
  > {
  readonly corpora: SearchDependencies['corpora'];
}

/** The memory of a conversation on trial, besides its turns. */
export interface RehearsedConversation {
  /** The number of consecutive fallbacks before the question. */
  readonly fallbacks: number;
  /** The reply that a skill waits for; null if none does. */
  readonly awaited: AwaitedReply | null;
}

export interface RehearsedQuestion {
  readonly workspace: Workspace;
  readonly text: string;
  /** Oldest first. */
  readonly earlierTurns: readonly EarlierTurn[];
  readonly summary: string | null;
  readonly audience: readonly string[];
  readonly channel: string;
  /** The conversation that the question is from; null if it is from none. */
  readonly conversationId: string | null;
  /** ISO 639-1; null to detect it. */
  readonly language: string | null;
  /** The model as `provider:model`; null for the workspace's own. `none`: the answer is quoted from documents. */
  readonly model: string | null;
  readonly strictness: Question['strictness'];
  /** A curated answer to answer with as if it were stored, in the place of `replaces`. Absent or null: none. */
  readonly drafted?: (CuratedContent & { readonly replaces: string | null }) | null;
  /** With it, the answer may hand over to a person, as a text alone: nobody is called. Absent or null: it does not. */
  readonly conversation?: RehearsedConversation | null;
  readonly signal: AbortSignal;
}

export interface Rehearsal {
  readonly answer: Answer;
  /** Null if nothing was decided. */
  readonly decision: DecisionRecord | null;
  readonly trace: AnswerTrace;
  /** The best passages over all questions in the message, best first, at most ten. */
  readonly passages: readonly UsablePassage[];
  /** The reply that a skill waits for after it; null if none does. */
  readonly awaited: AwaitedReply | null;
}

export const NO_MODEL = 'none';
const MAX_PASSAGES = 10;

/**
 * Answers a question as the engine would, but without skills that act for real. Nothing is stored or counted.
 * If all models fail, the answer is quoted from the documents.
 */
export async function rehearse(
  dependencies: RehearsalDependencies,
  { signal, drafted = null, ...asked }: RehearsedQuestion,
): Promise<Rehearsal> {
  const { owner, settings } = asked.workspace;
  const models =
    asked.model === NO_MODEL
      ? { ...dependencies, writer: null, complete: null }
      : await withOwnerModels(dependencies, owner, asked.model ?? settings.model ?? null);
  const engine = { ...models, database: dependencies.database.kysely };
  const recorder = new TraceRecorder(() => dependencies.clock.now().getTime());
  const draft = new AnswerDraft({ signal, trace: recorder });
  const facts = { now: dependencies.clock.now(), hasWriter: engine.writer !== null };
  const question: Question = {
    ...toQuestion(asked, facts),
    drafted: drafted && (await draftAnswer(dependencies.embedder, drafted, drafted.replaces)),
  };
  const answer = await answerQuestion(engine, question, draft);
  recorder.end();
  const { trail, basis } = draft;
  const isMasked = question.text !== asked.text;
  const found = trail?.parts.map((part) => part.found.ranked) ?? [];
  const passages = takeInTurn(found, ({ chunkId }) => chunkId, MAX_PASSAGES);
  const { awaited } = question.skills;
  const after = toStoredEffects([...draft.fired, ...draft.offered], awaited).awaited;
  return {
    answer,
    decision: trail && toDecisionRecord(trail, draft, question),
    trace: toTrace({ recorder, question, isMasked, trail, basis, answer, ended: null }),
    passages: passages.toSorted((one, other) => other.score - one.score),
    awaited: after === undefined ? awaited : after,
  };
}

function toQuestion(
  asked: Omit<RehearsedQuestion, 'signal' | 'drafted'>,
  { now, hasWriter }: { readonly now: Date; readonly hasWriter: boolean },
): Question {
  const { workspace, text, earlierTurns, summary, channel, conversationId } = asked;
  const earlierQuestions = earlierTurns.map((turn) => turn.question);
  const language = asked.language ?? chooseLanguage([text, ...earlierQuestions.toReversed()], []);
  const { conversation = null } = asked;
  const { settings } = workspace;
  // This skill gives a text and an effect, which nothing here stores.
  const person = escalateToHuman(settings);
  const mayHandOver = conversation !== null && isSkillEnabled(settings, person.name);
  return {
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    ...maskQuestion(workspace, { text, earlierTurns, summary, overheard: [] }),
    topK: hasWriter ? answerRules.readPassages : answerRules.quotedPassages,
    strictness: asked.strictness,
    temperature: null,
    model: asked.model === NO_MODEL ? null : (asked.model ?? workspace.settings.model ?? null),
    audience: asked.audience,
    documentIds: null,
    fallbackMessage: ownFallbackMessage(workspace.settings, language),
    quotesAt: ['provider_down', 'model_provider_error', 'upstream_timeout'],
    searches: true,
    tiers: tiersOf(workspace.settings),
    correction: workspace.correction,
    skills: {
      skills: mayHandOver ? [person] : [],
      moment: {
        workspaceId: workspace.id,
        ...{ channel, conversationId, question: text, language, earlierQuestions, now },
        customer: { email: null, name: null, phone: null },
        userId: null,
        withPerson: conversation === null,
      },
      awaited: conversation?.awaited ?? null,
      wanted: null,
      fallbacks: conversation?.fallbacks ?? 0,
      escalateAfter: mayHandOver ? (settings.escalate_after_fallbacks ?? null) : null,
    },
  };
}
