import type { AskRequest } from '../../core/answering/ask-request.ts';
import type { ErrorCode } from '../../core/base/error-catalogue.ts';
import { AppError } from '../../core/base/errors.ts';
import { laneSessionId } from '../../core/channels/inbound/lane.ts';
import { senderCustomer } from '../../core/channels/inbound/lane-conversation.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { findExceededLimit } from '../../core/channels/outbound/reply-limits.ts';
import { humanSkill } from '../../core/contract/skill.ts';
import { HumanTakeoverError } from '../../core/conversations/messages/turn.ts';
import type { ChannelTexts } from '../../core/language/language-texts.ts';
import { findText } from '../../core/language/localised-texts.ts';
import { askInChannel, sendCannedReply } from './ask.ts';
import { showTyping } from './drafting.ts';
import { hearTurn } from './hear-turn.ts';
import { type AskedTurn, isUnread, readingOf, type TurnEnd, type VisitorTurn } from './plan-turn.ts';
import { storeRating } from './rating-turn.ts';
import { fetchThreadContext, withSenderProfile } from './sender-context.ts';
import { sendContinuation, storeForAgent, storeUnanswered, toMessageMetadata } from './unanswered.ts';

/**
 * Errors that a retry would repeat, so the answer quotes documents at once. Other model errors are retried
 * first.
 */
const outageCodes: readonly ErrorCode[] = ['provider_down', 'upstream_timeout'];

/**
 * Answers a turn, or stores it for the agent who has the conversation. The answer, its outbound parts and the handled events
 * are stored in one transaction. Throws if a retry may succeed.
 */
export async function answerTurn(dependencies: LaneDependencies, asked: AskedTurn): Promise<TurnEnd> {
  const { held, open, turn, workspace, conversation } = asked;
  // If an agent has the conversation, "more" is stored for them: no further part of the bot's answer is sent.
  const asksForMore = turn.command === 'more' && conversation?.withPerson !== true;
  if (asksForMore && (await sendContinuation(dependencies, asked))) return unanswered('continued', asked);
  const because = await findUnansweredReason(dependencies, asked);
  if (because !== null) {
    return unanswered('unanswered', await storeUnanswered(dependencies, { ...asked, because }));
  }
  if (await storeRating(dependencies, asked)) return unanswered('rated', asked);
  if (conversation?.withPerson) {
    const enrichedTurn = await withSenderProfile(dependencies, asked);
    const heardTurn = await hear(dependencies, enrichedTurn);
    return unanswered(
      'for_agent',
      await storeForAgent(dependencies, { ...heardTurn, conversationId: conversation.id }),
    );
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
    return await sendText(dependencies, heardTurn, request);
  } catch (error) {
    if (!(error instanceof HumanTakeoverError)) throw error;
    return unanswered(
      'for_agent',
      await storeForAgent(dependencies, { ...asked, conversationId: conversation?.id ?? null }),
    );
  } finally {
    stop();
  }
}

interface StoredPlace {
  readonly messageId?: string | null;
  readonly conversationId?: string | null;
  readonly conversation?: AskedTurn['conversation'];
}

function unanswered(
  outcome: TurnEnd['outcome'],
  { messageId = null, conversation, conversationId = conversation?.id ?? null }: StoredPlace,
): TurnEnd {
  return { outcome, messageId, conversationId, parts: 0 };
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
): Promise<TurnEnd> {
  const { turn, mayRetry, language } = asked;
  const texts = findText('channel', language);
  const ready = request.reading === undefined ? readyText(turn, texts) : null;
  if (ready !== null)
    return sendCannedReply(dependencies, asked, { request, text: ready, outcome: 'answered' });
  const sorry = (text: string) => sendCannedReply(dependencies, asked, { request, text, outcome: 'failed' });
  try {
    return await askInChannel(dependencies, asked, request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'quota_exhausted') return sorry(texts.unavailable);
    if (mayRetry) throw error;
    // On the last attempt, the visitor at least learns that something went wrong.
    return sorry(texts.trouble);
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
