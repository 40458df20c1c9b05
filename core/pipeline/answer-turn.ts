import type { AskRequest } from '../answering/ask.ts';
import { personSkill } from '../contract/person-skill.ts';
import { TakenOver } from '../conversations/taken-over.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { askInChannel } from './ask-in-channel.ts';
import type { AskedTurn } from './asked-turn.ts';
import { senderCustomer } from './begin-in-lane.ts';
import { channelTexts } from './channel-texts.ts';
import type { SendingLane } from './commit-turn.ts';
import { introduced } from './introduced.ts';
import { keepSilent } from './keep-silent.ts';
import { messageMetadata } from './message-metadata.ts';
import type { VisitorTurn } from './next-step.ts';
import { overhear } from './overhear.ts';
import { parkTurn } from './park-turn.ts';
import { parkingReason } from './parking-reason.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { releaseMore } from './release-more.ts';
import { sayReady } from './say-ready.ts';
import { sessionOf } from './session-of.ts';
import { showTyping } from './show-typing.ts';

/** Another try would fail as well; what else a model does wrong is tried again first. */
const down: readonly ErrorCode[] = ['provider_down', 'upstream_timeout'];

/** What came of a turn that was answered. */
export interface Answered {
  /** The lane to send in where it is ours now, with what is to be sent; null where somebody else has it, or nothing is. */
  readonly toSend: SendingLane | null;
}

/**
 * Answers what a visitor said, or keeps it for the person who has the conversation: null then. Stored with it are what is
 * to be sent and that its events are dealt with. Throws where it is worth another try.
 */
export async function answerTurn(
  dependencies: PipelineDependencies,
  asked: AskedTurn,
): Promise<Answered | null> {
  const { held, open, turn, workspace, conversation } = asked;
  // A person who has the conversation is told of the word: of the bot's answer nothing is sent any more.
  const asksForMore = turn.command === 'more' && conversation?.withPerson !== true;
  if (asksForMore && (await releaseMore(dependencies, asked))) return null;
  const because = await parkingReason(dependencies, asked);
  if (because !== null) {
    await parkTurn(dependencies, { ...asked, because });
    return null;
  }
  if (conversation?.withPerson) {
    const known = await introduced(dependencies, asked);
    await keepSilent(dependencies, { ...known, conversationId: conversation.id });
    return null;
  }
  const stop = showTyping(dependencies, open, turn.conversation);
  try {
    const [known, overheard] = await Promise.all([
      introduced(dependencies, asked),
      conversation === null ? overhear(dependencies, open, turn) : [],
    ]);
    const request: AskRequest = {
      workspace,
      channel: open.connector.manifest.channel,
      question: wordsOf(turn),
      conversationId: conversation?.id ?? null,
      sessionId: conversation?.sessionId ?? sessionOf(held),
      overheard,
      topK: 5,
      strictness: null,
      temperature: null,
      audience: [],
      documentIds: null,
      identity: { user: null, token: null },
      metadata: messageMetadata(known.turn),
      customer: senderCustomer(known.turn.sender),
      skill: turn.command === 'human' ? personSkill : undefined,
      quotesAt: asked.mayRetry ? down : [...down, 'model_provider_error'],
      afterword: afterwordOf(known),
    };
    return { toSend: await say(dependencies, known, request) };
  } catch (error) {
    if (!(error instanceof TakenOver)) throw error;
    await keepSilent(dependencies, { ...asked, conversationId: conversation?.id ?? null });
    return null;
  } finally {
    stop();
  }
}

/** As it is kept: also where a command or a file is all that was said. */
function wordsOf({ command, text }: VisitorTurn): string {
  if ((command === null || command === 'more') && text !== '') return text;
  return [`/${command ?? 'file'}`, text].join(' ').trim();
}

/** Who sent files with his words hears that they were not seen. */
function afterwordOf({ turn: { attachments }, language }: AskedTurn): string | undefined {
  return attachments.some(({ incidental }) => !incidental) ? channelTexts(language).filesUnread : undefined;
}

async function say(
  dependencies: PipelineDependencies,
  asked: AskedTurn,
  request: AskRequest,
): Promise<SendingLane | null> {
  const { turn, mayRetry, language } = asked;
  const texts = channelTexts(language);
  const ready = readyText(turn, texts);
  if (ready !== null) return sayReady(dependencies, asked, { request, text: ready });
  try {
    return await askInChannel(dependencies, asked, request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'quota_exhausted')
      return sayReady(dependencies, asked, { request, text: texts.unavailable });
    if (mayRetry) throw error;
    // Who is spoken to says at least that something went wrong.
    return sayReady(dependencies, asked, { request, text: texts.trouble });
  }
}

function readyText({ command, text }: VisitorTurn, texts: ReturnType<typeof channelTexts>): string | null {
  if (command === 'start') return texts.greeting;
  if (command === 'help') return texts.help;
  return text === '' && command === null ? texts.unreadable : null;
}
