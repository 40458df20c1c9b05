import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { logMessageEnd } from '../base/log.ts';
import { type Answer, Interruption } from '../contract/answer.ts';
import type { Customer } from '../contract/conversation-values.ts';
import { humanSkill } from '../contract/skill.ts';
import type { AnswerTrace } from '../contract/trace/answer-trace.ts';
import type { MessageOutcome } from '../contract/trace/message-end.ts';
import { packTrace } from '../contract/trace/stored-trace.ts';
import {
  type ConversationMemory,
  emptyMemory,
  overheardSummary,
} from '../conversations/conversation-memory.ts';
import type { StoredTurn, Turn } from '../conversations/messages/turn.ts';
import { ownFallbackMessage } from '../language/localised-texts.ts';
import type { Companion } from '../storage/companion.ts';
import type { AnsweredSpan, SpanPlace } from '../tracing/spans.ts';
import { type IdentityClaims, type VerifiedVisitor, verifyIdentity } from '../workspaces/identity.ts';
import { testWorkspaceId } from '../workspaces/test-workspace.ts';
import { traceDays } from '../workspaces/workspace-settings.ts';
import { assertKnownAudience, type Workspace, type Workspaces } from '../workspaces/workspaces.ts';
import type { AnswerListener } from './answer.ts';
import { type AskDependencies, type AskRequest, withOwnerModels } from './ask-request.ts';
import { toDecisionRecord } from './decision-record.ts';
import { answerQuestion, fallBack } from './engine.ts';
import { maskQuestion } from './masking.ts';
import type { Question } from './question.ts';
import { answerRules, tiersOf } from './rules.ts';
import { loadSkillSet, toStoredEffects } from './run-skills.ts';
import { isSkillEnabled } from './skills/built-in-skills.ts';
import { TraceRecorder } from './trace/recorder.ts';
import { toTrace } from './trace/to-trace.ts';
import { AnswerDraft } from './writing/answer-draft.ts';

export interface AskResult {
  readonly answer: Answer;
  readonly conversationId: string;
  /** The id of the answer. */
  readonly messageId: string;
  readonly latencyMs: number;
  /** Why the answer is incomplete; null if it is complete. */
  readonly ended: Turn['ended'];
}

export interface AskOptions {
  /**
   * If it aborts with an `Interruption`, the part of the answer written so far is stored; with any other reason, nothing
   * is.
   */
  readonly signal: AbortSignal;
  readonly listener?: AnswerListener | undefined;
  /** Awaited when the answer is complete, before it is stored. */
  readonly whole?: (() => Promise<void>) | undefined;
  /** Returns the sentence that a machine answers, if it goes out before this answer; it is stored beside it. */
  readonly disclose?: ((answer: Answer) => string | null) | undefined;
  /** Returns the data to store atomically with the answer. `memory` is the conversation before the question. */
  readonly beside?: ((result: AskResult, memory: ConversationMemory) => Companion) | undefined;
  /** The span that the answer is a part of. Null or absent: none is known. */
  readonly parent?: SpanPlace | null | undefined;
  /** Whether the message goes on when its answer is stored, because parts of it are sent then. Otherwise it ends there. */
  readonly goesOn?: true;
}

/**
 * Answers a question within its conversation and stores both. Throws `invalid_audience`, `verification_required`,
 * `conversation_not_found` and `document_not_found`; nothing is stored in these cases. All of them are checked before the
 * listener receives the first stage.
 */
export async function ask(
  given: AskDependencies,
  request: AskRequest,
  { signal, listener, whole, disclose, beside, parent = null, goesOn }: AskOptions,
): Promise<AskResult> {
  const { clock, conversations, metrics, spans, workspaces } = given;
  const startedAt = clock.now().getTime();
  const { owner, settings } = request.workspace;
  const dependencies = await withOwnerModels(given, owner, settings.model ?? null);
  const { question, visitor, memory } = await checkRequest(dependencies, request);
  const { isTest = false } = request;
  const isMasked = question.text !== (request.reading ?? request.question);
  const keepsTrace = traceDays(settings) > 0;
  const isTraced = keepsTrace || spans !== null;
  const recorder = isTraced ? new TraceRecorder(() => clock.now().getTime(), spans !== null) : null;
  const draft = new AnswerDraft({ signal, listener, trace: recorder });
  const traceOf = (answer: Answer, ended: Turn['ended']) =>
    recorder &&
    toTrace({ recorder, question, isMasked, trail: draft.trail, basis: draft.basis, answer, ended });
  const exportSpans = (trace: AnswerTrace | null, made: MadeAnswer) => {
    if (spans === null || recorder === null || trace === null) return;
    const { channel } = request;
    const endMs = clock.now().getTime();
    spans.answered({
      ...{ parent, channel, workspaceId: question.workspaceId, startMs: startedAt, endMs },
      ...{ trace, times: recorder.times, ...made },
    });
  };
  const running = runEngine(dependencies, { request, question }, draft);
  const ended = await running.catch((failed: unknown) => {
    recorder?.end();
    const { conversationId } = request;
    if (spans !== null)
      exportSpans(traceOf(draft.conclude(), null), { ...nothingMade, conversationId, failed });
    throw failed;
  });
  recorder?.end();
  await whole?.();
  const concluded = draft.conclude();
  // An afterword is for every channel, also for those that show the lead alone.
  const answer = request.afterword === undefined ? concluded : { ...concluded, lead: null };
  const latencyMs = Math.max(0, clock.now().getTime() - startedAt);
  const trace = traceOf(answer, ended);
  const turn: Turn = {
    ...request,
    workspaceId: isTest ? await workspaces.openTests(question.workspaceId) : question.workspaceId,
    customer: visitor?.customer ?? request.customer ?? statedCustomer(request.identity),
    userId: visitor?.userId ?? null,
    statedUserId: visitor === null ? request.identity.user?.userId : null,
    answer,
    decision: draft.trail && toDecisionRecord(draft.trail, draft, question),
    trace: keepsTrace ? trace && packTrace(trace) : null,
    disclosure: disclose?.(answer),
    latencyMs,
    ended,
    ...toStoredEffects([...draft.fired, ...draft.offered], question.skills.awaited),
  };
  const resultOf = (stored: StoredTurn): AskResult => ({ ...stored, answer, latencyMs, ended });
  const stored = await conversations.storeTurn(turn, beside && ((ids) => beside(resultOf(ids), memory)));
  if (ended === null && !isTest) metrics.answered(request.channel, answer.confidence);
  const { tokensUsed: tokens, confidence } = answer;
  exportSpans(trace, { ...stored, tokens, confidence, failed: null });
  const result = resultOf(stored);
  if (goesOn === undefined) logAnswer(dependencies, { result, request, parent });
  return result;
}

/** How an answer ended, as its spans tell. */
type MadeAnswer = Pick<AnsweredSpan, 'conversationId' | 'messageId' | 'tokens' | 'confidence' | 'failed'>;

const nothingMade = { messageId: null, tokens: 0, confidence: null };

interface EndedAnswer {
  readonly result: AskResult;
  readonly request: AskRequest;
  readonly parent: SpanPlace | null;
}

function logAnswer(
  { log, spans }: Pick<AskDependencies, 'log' | 'spans'>,
  { result: { answer, ended, messageId, conversationId, latencyMs }, request, parent }: EndedAnswer,
): void {
  logMessageEnd(log, {
    ...{ message: messageId, conversation: conversationId, workspace: request.workspace.id },
    ...{ kind: request.channel, answerMs: latencyMs },
    outcome: answerOutcome({ answer, ended }),
    ...(spans !== null && { trace: (parent ?? spans.rootOf({ messageId })).traceId }),
  });
}

/** Returns what became of a message that was answered. Pure. */
export function answerOutcome({ answer, ended }: Pick<AskResult, 'answer' | 'ended'>): MessageOutcome {
  return ended ?? (answer.skillsFired.includes(humanSkill) ? 'handed_over' : 'answered');
}

/** The name and address that a request states without a proof. */
function statedCustomer({ user }: IdentityClaims): Customer | null {
  if (user === null) return null;
  const { name = null, email = null } = user;
  return { name, email, emailVerified: false, phone: null };
}

interface CheckedRequest {
  readonly question: Question;
  readonly visitor: VerifiedVisitor | null;
  readonly memory: ConversationMemory;
}

async function checkRequest(dependencies: AskDependencies, request: AskRequest): Promise<CheckedRequest> {
  const { workspace, audience, documentIds } = request;
  assertKnownAudience(workspace, audience);
  const visitor = request.visitor ?? (await identifyVisitor(dependencies, workspace, request.identity));
  const memory = await loadMemory(dependencies, request, visitor?.userId ?? null);
  const { overheard = [] } = request;
  await dependencies.documents.requireAll(workspace.id, documentIds ?? []);
  const skills = await loadSkillSet(dependencies, { request, memory, visitor });
  const { language } = skills.moment;
  const question: Question = {
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    ...maskQuestion(workspace, {
      text: request.reading ?? request.question,
      ...(request.reading !== undefined && { words: request.question }),
      earlierTurns: memory.turns,
      summary: memory.summary ?? overheardSummary(overheard),
      overheard,
    }),
    topK:
      request.topK ?? (dependencies.writer === null ? answerRules.quotedPassages : answerRules.readPassages),
    strictness: request.strictness ?? workspace.settings.strictness ?? 'strict',
    temperature: request.temperature,
    model: workspace.settings.model ?? null,
    audience: [...new Set([...audience, ...(visitor?.audience ?? [])])],
    documentIds,
    fallbackMessage:
      dependencies.demo?.notice(workspace.id, language) ?? ownFallbackMessage(workspace.settings, language),
    quotesAt: request.quotesAt ?? [],
    searches: isSkillEnabled(workspace.settings, 'knowledge_search'),
    skills,
    tiers: tiersOf(workspace.settings),
    correction: workspace.correction,
  };
  return { question, visitor, memory };
}

/** Returns null if the answer is complete, otherwise why it is not. */
async function runEngine(
  { database, embedder, corpora, reranker, passageReader, writer, complete }: AskDependencies,
  { request, question }: { readonly request: AskRequest; readonly question: Question },
  draft: AnswerDraft,
): Promise<Turn['ended']> {
  try {
    const search = { database: database.kysely, embedder, corpora, reranker, passageReader };
    const engine = { ...search, writer, complete };
    if (request.fallsBack === true) await fallBack(engine, question, draft);
    else await answerQuestion(engine, question, draft);
    const { afterword } = request;
    if (afterword !== undefined && !draft.fired.some(({ skill }) => skill === humanSkill)) {
      draft.beginParagraph();
      await draft.say(afterword);
    }
  } catch (error) {
    if (error instanceof Interruption) return error.ended;
    throw error;
  }
  if (!(draft.signal.reason instanceof Interruption)) draft.signal.throwIfAborted();
  return null;
}

function loadMemory({ conversations }: AskDependencies, request: AskRequest, userId: string | null) {
  const { workspace, conversationId, sessionId, earlierTurns, isTest = false } = request;
  if (conversationId === null) return emptyMemory(earlierTurns);
  const workspaceId = isTest ? testWorkspaceId(workspace.id) : workspace.id;
  return conversations.loadMemory({ workspaceId, conversationId, sessionId, userId });
}

interface Dependencies {
  readonly workspaces: Workspaces;
  readonly clock: Clock;
}

/** Returns the visitor whose identity is proven; null for an anonymous visitor. Throws `verification_required`. */
export async function identifyVisitor(
  { workspaces, clock }: Dependencies,
  workspace: Workspace,
  identity: IdentityClaims,
): Promise<VerifiedVisitor | null> {
  const proofGiven = identity.token !== null || identity.user?.hash !== undefined;
  if (proofGiven) {
    const identitySecrets = await workspaces.identitySecrets(workspace.id);
    const { settings } = workspace;
    return verifyIdentity(identity, { identitySecrets, settings, now: clock.now() });
  }
  if (workspace.settings.require_identity_verification) throw new AppError('verification_required');
  return null;
}

/** Returns a question with a canned reply as a turn to store. Pure. */
export function cannedTurn(request: AskRequest, text: string): Turn {
  return {
    ...request,
    workspaceId: request.workspace.id,
    customer: request.customer ?? null,
    userId: request.visitor?.userId ?? null,
    answer: {
      text,
      ...{ sources: [], citations: [], score: 0, tokensUsed: 0, skillsFired: [] },
      ...{ confidence: 'high', tier: 'answer', probability: null, lead: null },
      ...{ isGenerated: false, isQuoted: false },
    },
    decision: null,
    latencyMs: 0,
    ended: null,
    effects: [],
    awaited: undefined,
  };
}
