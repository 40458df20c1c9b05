import type { AskRequest } from '../../core/answering/ask-request.ts';
import type { ErrorCode } from '../../core/base/error-catalogue.ts';
import { AppError } from '../../core/base/errors.ts';
import { laneSessionId } from '../../core/channels/inbound/lane.ts';
import { senderCustomer } from '../../core/channels/inbound/lane-conversation.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import type { WaitingPart } from '../../core/channels/outbound/outbox.ts';
import { findExceededLimit } from '../../core/channels/outbound/reply-limits.ts';
import { humanSkill } from '../../core/contract/skill.ts';
import { HumanTakeoverError } from '../../core/conversations/messages/turn.ts';
import type { ChannelTexts } from '../../core/language/language-texts.ts';
import { findText } from '../../core/language/localised-texts.ts';
import { askInChannel, sendCannedReply } from './ask.ts';
import { showTyping } from './drafting.ts';
import { hearTurn } from './hear-turn.ts';
import { type AskedTurn, isUnread, readingOf, type VisitorTurn } from './plan-turn.ts';
import { storeRating } from './rating-turn.ts';
import { fetchThreadContext, withSenderProfile } from './sender-context.ts';
import { sendContinuation, storeForAgent, storeUnanswered, toMessageMetadata } from './unanswered.ts';

/**
 * Errors that a retry would repeat, so the answer quotes documents at once. Other model errors are retried
 * first.
 */
const outageCodes: readonly ErrorCode[] = ['provider_down', 'upstream_timeout'];

/** The result of an answered turn. */
interface Answered {
  /** The lane's first part to send. Null if none waits. */
  readonly next: WaitingPart | null;
}

/**
 * Answers a turn, or stores it for the agent who has the conversation and then returns null. The answer, its
 * outbound parts and the handled events are stored in one transaction. Throws if a retry may succeed.
 */
export async function answerTurn(dependencies: LaneDependencies, asked: AskedTurn): Promise<Answered | null> {
  const { held, open, turn, workspace, conversation } = asked;
  // If an agent has the conversation, "more" is stored for them: no further part of the bot's answer is sent.
  const asksForMore = turn.command === 'more' && conversation?.withPerson !== true;
  if (asksForMore && (await sendContinuation(dependencies, asked))) return null;
  const because = await findUnansweredReason(dependencies, asked);
  if (because !== null) {
    await storeUnanswered(dependencies, { ...asked, because });
    return null;
  }
  if (await storeRating(dependencies, asked)) return null;
  if (conversation?.withPerson) {
    const enrichedTurn = await withSenderProfile(dependencies, asked);
    const heardTurn = await hear(dependencies, enrichedTurn);
    await storeForAgent(dependencies, { ...heardTurn, conversationId: conversation.id });
    return null;
  }
  const stop = showTyping(dependencies, open, turn.conversation);
  try {
    const [enrichedTurn, overheard] = await Promise.all([
      withSenderProfile(dependencies, asked),
      conversation === null ? fetchThreadContext(dependencies, open, turn) : [],
    ]);
    const heardTurn = await hear(dependencies, enrichedTurn);
    const { turn: heard } = heardTurn;
    const request: AskRequest = {
      workspace,
      channel: open.connector.manifest.channel,
      question: turnText(heard),
      reading: readingOf(heard),
      language: heard.sender.language,
      conversationId: conversation?.id ?? null,
      sessionId: conversation?.sessionId ?? laneSessionId(held),
      overheard,
      topK: null,
      strictness: null,
      temperature: null,
      audience: [],
      documentIds: null,
      identity: { user: null, token: null },
      metadata: toMessageMetadata(heard),
      customer: senderCustomer(heard.sender),
      skill: turn.command === 'human' ? humanSkill : undefined,
      quotesAt: asked.mayRetry ? outageCodes : [...outageCodes, 'model_provider_error'],
      afterword: findAfterword(heardTurn),
    };
    return { next: await sendText(dependencies, heardTurn, request) };
  } catch (error) {
    if (!(error instanceof HumanTakeoverError)) throw error;
    await storeForAgent(dependencies, { ...asked, conversationId: conversation?.id ?? null });
    return null;
  } finally {
    stop();
  }
}

async function hear(dependencies: LaneDependencies, asked: AskedTurn): Promise<AskedTurn> {
  const { media } = dependencies;
  return media === null ? asked : hearTurn({ ...dependencies, media }, asked);
}

/** The question as it is stored. A turn that is only a command or a file gets a placeholder such as `/help`. */
function turnText({ command, text }: VisitorTurn): string {
  if ((command === null || command === 'more') && text !== '') return text;
  return [`/${command ?? 'file'}`, text].join(' ').trim();
}

/** Visitors who attach files that were not read learn that. */
function findAfterword({ turn: { attachments }, language }: AskedTurn): string | undefined {
  return attachments.some(isUnread) ? findText('channel', language).filesUnread : undefined;
}

async function sendText(
  dependencies: LaneDependencies,
  asked: AskedTurn,
  request: AskRequest,
): Promise<WaitingPart | null> {
  const { turn, mayRetry, language } = asked;
  const texts = findText('channel', language);
  const ready = request.reading === undefined ? readyText(turn, texts) : null;
  if (ready !== null) return sendCannedReply(dependencies, asked, { request, text: ready });
  try {
    return await askInChannel(dependencies, asked, request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'quota_exhausted')
      return sendCannedReply(dependencies, asked, { request, text: texts.unavailable });
    if (mayRetry) throw error;
    // On the last attempt, the visitor at least learns that something went wrong.
    return sendCannedReply(dependencies, asked, { request, text: texts.trouble });
  }
}

function readyText({ command, text }: VisitorTurn, texts: ChannelTexts): string | null {
  if (command === 'start') return texts.greeting;
  if (command === 'help') return texts.help;
  return text === '' && command === null ? texts.unreadable : null;
}

/**
 * Returns the reason to store the turn without an answer, or null if it is answered. Requests for a person and
 * conversations with an agent are exempt from reply limits.
 */
async function findUnansweredReason(
  { database, clock }: Pick<LaneDependencies, 'database' | 'clock'>,
  { held, open, turn, conversation }: AskedTurn,
): Promise<string | null> {
  const { replyLimits: limits } = open.connector.manifest;
  if (turn.parked !== null) return turn.parked;
  if (limits === undefined || conversation?.withPerson || turn.command === 'human') return null;
  return findExceededLimit(database.kysely, { key: held, limits, sender: turn.sender.id, now: clock.now() });
}
