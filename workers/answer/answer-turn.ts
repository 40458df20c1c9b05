import { type Kysely, sql } from 'kysely';
import type { AskRequest } from '../../core/answering/ask-request.ts';
import { findChannelTexts } from '../../core/channels/channel-texts.ts';
import type { ReplyLimit, ReplyLimits } from '../../core/contract/outbound.ts';
import { humanSkill } from '../../core/contract/skill.ts';
import { HumanTakeoverError } from '../../core/conversations/turn.ts';
import { AppError, type ErrorCode } from '../../core/errors.ts';
import { type LaneKey, laneSessionId } from '../../core/inbound/lane.ts';
import { senderCustomer } from '../../core/inbound/lane-conversation.ts';
import type { LaneDependencies } from '../../core/inbound/lane-dependencies.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { askInChannel, sendCannedReply } from './ask.ts';
import type { SendingLane } from './commit-turn.ts';
import { showTyping } from './drafting.ts';
import type { AskedTurn, VisitorTurn } from './plan-turn.ts';
import { fetchThreadContext, withSenderProfile } from './sender-context.ts';
import { sendContinuation, storeForAgent, storeUnanswered, toMessageMetadata } from './unanswered.ts';

/** Another try would fail as well; what else a model does wrong is tried again first. */
const outageCodes: readonly ErrorCode[] = ['provider_down', 'upstream_timeout'];

/** What came of a turn that was answered. */
interface Answered {
  /** The lane to send in where it is ours now, with what is to be sent; null where somebody else has it, or nothing is. */
  readonly toSend: SendingLane | null;
}

/**
 * Answers what a visitor said, or keeps it for the person who has the conversation: null then. Stored with it are what is
 * to be sent and that its events are dealt with. Throws where it is worth another try.
 */
export async function answerTurn(dependencies: LaneDependencies, asked: AskedTurn): Promise<Answered | null> {
  const { held, open, turn, workspace, conversation } = asked;
  // A person who has the conversation is told of the word: of the bot's answer nothing is sent any more.
  const asksForMore = turn.command === 'more' && conversation?.withPerson !== true;
  if (asksForMore && (await sendContinuation(dependencies, asked))) return null;
  const because = await findUnansweredReason(dependencies, asked);
  if (because !== null) {
    await storeUnanswered(dependencies, { ...asked, because });
    return null;
  }
  if (conversation?.withPerson) {
    const known = await withSenderProfile(dependencies, asked);
    await storeForAgent(dependencies, { ...known, conversationId: conversation.id });
    return null;
  }
  const stop = showTyping(dependencies, open, turn.conversation);
  try {
    const [known, overheard] = await Promise.all([
      withSenderProfile(dependencies, asked),
      conversation === null ? fetchThreadContext(dependencies, open, turn) : [],
    ]);
    const request: AskRequest = {
      workspace,
      channel: open.connector.manifest.channel,
      question: turnText(turn),
      conversationId: conversation?.id ?? null,
      sessionId: conversation?.sessionId ?? laneSessionId(held),
      overheard,
      topK: 5,
      strictness: null,
      temperature: null,
      audience: [],
      documentIds: null,
      identity: { user: null, token: null },
      metadata: toMessageMetadata(known.turn),
      customer: senderCustomer(known.turn.sender),
      skill: turn.command === 'human' ? humanSkill : undefined,
      quotesAt: asked.mayRetry ? outageCodes : [...outageCodes, 'model_provider_error'],
      afterword: findAfterword(known),
    };
    return { toSend: await sendText(dependencies, known, request) };
  } catch (error) {
    if (!(error instanceof HumanTakeoverError)) throw error;
    await storeForAgent(dependencies, { ...asked, conversationId: conversation?.id ?? null });
    return null;
  } finally {
    stop();
  }
}

/** As it is kept: also where a command or a file is all that was said. */
function turnText({ command, text }: VisitorTurn): string {
  if ((command === null || command === 'more') && text !== '') return text;
  return [`/${command ?? 'file'}`, text].join(' ').trim();
}

/** Who sent files with his words hears that they were not seen. */
function findAfterword({ turn: { attachments }, language }: AskedTurn): string | undefined {
  return attachments.some(({ incidental }) => !incidental)
    ? findChannelTexts(language).filesUnread
    : undefined;
}

async function sendText(
  dependencies: LaneDependencies,
  asked: AskedTurn,
  request: AskRequest,
): Promise<SendingLane | null> {
  const { turn, mayRetry, language } = asked;
  const texts = findChannelTexts(language);
  const ready = readyText(turn, texts);
  if (ready !== null) return sendCannedReply(dependencies, asked, { request, text: ready });
  try {
    return await askInChannel(dependencies, asked, request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'quota_exhausted')
      return sendCannedReply(dependencies, asked, { request, text: texts.unavailable });
    if (mayRetry) throw error;
    // Who is spoken to says at least that something went wrong.
    return sendCannedReply(dependencies, asked, { request, text: texts.trouble });
  }
}

function readyText(
  { command, text }: VisitorTurn,
  texts: ReturnType<typeof findChannelTexts>,
): string | null {
  if (command === 'start') return texts.greeting;
  if (command === 'help') return texts.help;
  return text === '' && command === null ? texts.unreadable : null;
}

/**
 * Why what was said is kept and not answered; null where it is dealt with as always. Who asks for a person, or has one,
 * is within every limit.
 */
async function findUnansweredReason(
  { database, clock }: Pick<LaneDependencies, 'database' | 'clock'>,
  { held, open, turn, conversation }: AskedTurn,
): Promise<string | null> {
  const { replyLimits: limits } = open.connector.manifest;
  if (turn.parked !== null) return turn.parked;
  if (limits === undefined || conversation?.withPerson || turn.command === 'human') return null;
  return isOverReplyLimit(database.kysely, { key: held, limits, sender: turn.sender.id, now: clock.now() });
}

const HOUR_MS = 3_600_000;

interface Asked {
  readonly key: LaneKey;
  readonly limits: ReplyLimits;
  /** Who would be answered, as the platform names him. */
  readonly sender: string;
  readonly now: Date;
}

/**
 * Why nobody is answered any more, as the person who looks at the conversation reads it; null where an answer is within
 * the limits. Counted over what was written to be sent, whichever process did.
 */
async function isOverReplyLimit(
  database: Kysely<Tables>,
  { key: { channelId, lane }, limits: { perConversation, perSender }, sender, now }: Asked,
): Promise<string | null> {
  const since = ({ withinMs }: ReplyLimit) => new Date(now.getTime() - withinMs);
  const { rows } = await sql<{ conversation: number; sender: number }>`
    with heard as (
      update lane set sender = ${sender}
      where channel_id = ${channelId} and lane = ${lane} and sender is distinct from ${sender}
    )
    select (
      select count(distinct message_id)::int from outbound_part
      where channel_id = ${channelId} and lane = ${lane} and author = 'bot' and status <> 'withheld'
        and created_at > ${since(perConversation)}
    ) as conversation, (
      select count(distinct outbound_part.message_id)::int from lane
      join outbound_part on outbound_part.channel_id = lane.channel_id and outbound_part.lane = lane.lane
      where lane.channel_id = ${channelId} and (lane.sender = ${sender} or lane.lane = ${lane})
        and outbound_part.author = 'bot' and outbound_part.status <> 'withheld'
        and outbound_part.created_at > ${since(perSender)}
    ) as sender
  `.execute(database);
  const [counted] = rows;
  if (counted === undefined) return null;
  if (counted.conversation >= perConversation.count)
    return describeLimit('this conversation', perConversation);
  return counted.sender >= perSender.count ? describeLimit('this sender', perSender) : null;
}

function describeLimit(where: string, { count, withinMs }: ReplyLimit): string {
  const within =
    withinMs < HOUR_MS
      ? `${Math.round(withinMs / 60_000)} minutes`
      : `${Math.round((10 * withinMs) / HOUR_MS) / 10} hours`;
  return `${where} was given ${count} answers within ${within}: this may be a dialogue with a machine`;
}
