import type { AskRequest } from '../answering/ask.ts';
import { AppError } from '../errors.ts';
import { askForPerson, askInChannel } from './ask-in-channel.ts';
import type { AskedTurn } from './asked-turn.ts';
import { channelTexts } from './channel-texts.ts';
import { TakenOver } from './commit-turn.ts';
import { introducedTurn } from './introduced-turn.ts';
import { keepSilent } from './keep-silent.ts';
import { laneConversation } from './lane-conversation.ts';
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
import { turnLanguage } from './turn-language.ts';

/**
 * Answers what a visitor said, or keeps it for the person who has the conversation. Stored with it are what is to be sent
 * and that its events are dealt with. Tells whether it was answered. Throws where it is worth another try.
 */
export async function answerTurn(dependencies: PipelineDependencies, asked: AskedTurn): Promise<boolean> {
  const { database, clock, workspaces } = dependencies;
  const { held, open, turn } = asked;
  if (turn.command === 'more' && (await releaseMore(dependencies, asked))) return false;
  const conversation = await laneConversation(database.kysely, held, clock.now());
  const because = await parkingReason(dependencies, asked, conversation?.withPerson ?? false);
  if (because !== null) {
    await parkTurn(dependencies, { ...asked, conversationId: conversation?.id ?? null, because });
    return false;
  }
  if (conversation?.withPerson) {
    const known = await introducedTurn(dependencies, open, turn);
    await keepSilent(dependencies, { ...asked, turn: known, conversationId: conversation.id });
    return false;
  }
  const stop = showTyping(dependencies, open, turn.conversation);
  try {
    const [known, overheard] = await Promise.all([
      introducedTurn(dependencies, open, turn),
      conversation === null ? overhear(dependencies, open, turn) : [],
    ]);
    const request: AskRequest = {
      workspace: await workspaces.get(open.workspaceId),
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
      metadata: messageMetadata(known),
      customer: known.sender,
      skill: turn.command === 'human' ? askForPerson : undefined,
    };
    await say(dependencies, { ...asked, turn: known, overheard }, request);
    return true;
  } catch (error) {
    if (!(error instanceof TakenOver) || conversation === null) throw error;
    await keepSilent(dependencies, { ...asked, conversationId: conversation.id });
    return false;
  } finally {
    stop();
  }
}

/** As it is kept: also where a command or a file is all that was said. */
function wordsOf({ command, text }: VisitorTurn): string {
  if ((command === null || command === 'more') && text !== '') return text;
  return [`/${command ?? 'file'}`, text].join(' ').trim();
}

async function say(dependencies: PipelineDependencies, asked: AskedTurn, request: AskRequest): Promise<void> {
  const { turn, mayRetry } = asked;
  const texts = channelTexts(turnLanguage(turn));
  const ready = readyText(turn, texts);
  if (ready !== null) return sayReady(dependencies, asked, { request, text: ready });
  try {
    await askInChannel(dependencies, asked, request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'quota_exhausted')
      return sayReady(dependencies, asked, { request, text: texts.unavailable });
    if (mayRetry) throw error;
    // Who is spoken to says at least that something went wrong.
    await sayReady(dependencies, asked, { request, text: texts.trouble });
  }
}

function readyText({ command, text }: VisitorTurn, texts: ReturnType<typeof channelTexts>): string | null {
  if (command === 'start') return texts.greeting;
  if (command === 'help') return texts.help;
  return text === '' && command === null ? texts.unreadable : null;
}
