import VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import type { HttpAnswer, PulledParts } from '../../../core/contract/webhook.ts';
import { type CallState, callbackUrl } from './caller-turn.ts';
import type { VoiceAccount } from './manifest.ts';
import { parsePart, type SpeechPart } from './render.ts';
import { greetingTexts, type VoiceTexts, voiceTexts } from './voice-texts.ts';

/** About half a minute: callers do not wait longer. */
const MAX_LAPS = 7;

interface CallContext {
  readonly state: CallState;
  readonly caller: string | null;
  readonly account: VoiceAccount;
  /** The key of the parts that the caller asked for; null for the answer to a question. */
  readonly what: string | null;
}

/** Returns the response to a caller's turn: the parts that are ready, or a filler while the answer is generated. */
export function respondToCaller(
  { parts, isAnswering, withPerson }: PulledParts,
  context: CallContext,
): HttpAnswer {
  const { state, caller, account } = context;
  const { turn } = state;
  const texts = voiceTexts(account.settings.language);
  const speechParts = parts.map(parsePart).filter((part) => part.kind === 'speech');
  const lastPart = speechParts.at(-1);
  const sentences = speechParts.flatMap((part) => part.sentences);
  if (speechParts.some(({ handover }) => handover)) return transferCall(sentences, caller, account);
  if (lastPart !== undefined) {
    return gatherSpeech(
      [...sentences, ...followUpQuestion(lastPart, texts)],
      { turn: turn + 1, ...lastPart.asks },
      account,
    );
  }
  if (isAnswering) return sayFiller(context, texts);
  if (withPerson) return transferCall([texts.passedOn, texts.withPerson], caller, account);
  return gatherSpeech([texts.lost], { turn: turn + 1 }, account);
}

function followUpQuestion({ asks }: SpeechPart, texts: VoiceTexts): readonly string[] {
  if (asks === null) return [];
  return [asks.asks === 'more' ? texts.goOn : texts.sendLink];
}

function sayFiller({ state: { turn, lap }, account, what }: CallContext, texts: VoiceTexts): HttpAnswer {
  if (lap >= MAX_LAPS) return gatherSpeech([texts.tooLong], { turn: turn + 1 }, account);
  return twimlResponse((response) => {
    const filler = texts.fillers[Math.min(lap, texts.fillers.length - 1)];
    // Each filler is said once, then the line is silent.
    if (filler !== undefined && lap < texts.fillers.length) saySentences(response, [filler], account);
    response.redirect({ method: 'POST' }, callbackUrl(account, { step: 'wait', turn, lap: lap + 1, what }));
  });
}

/** How long Twilio waits for the caller to speak. */
const PATIENCE_S = 6;

/** Speaks sentences that the caller can interrupt, then listens. The callback follows also after silence. */
export function gatherSpeech(
  sentences: readonly string[],
  next: Partial<CallState> & Pick<CallState, 'turn'>,
  account: VoiceAccount,
): HttpAnswer {
  const { language, hints } = account.settings;
  return twimlResponse((response) => {
    const gather = response.gather({
      input: ['speech', 'dtmf'],
      action: callbackUrl(account, { ...next, step: 'turn' }),
      method: 'POST',
      actionOnEmptyResult: true,
      speechTimeout: 'auto',
      timeout: PATIENCE_S,
      numDigits: 1,
      bargeIn: true,
      language,
      ...(hints !== undefined && { hints }),
    });
    saySentences(gather, sentences, account);
  });
}

/** How long the transfer rings. */
const RINGING_S = 25;

/** Transfers a caller to a person if there is a number to dial; otherwise explains what happens next and hangs up. */
export function transferCall(
  sentences: readonly string[],
  caller: string | null,
  account: VoiceAccount,
): HttpAnswer {
  const { transfer_to: number, language } = account.settings;
  const texts = voiceTexts(language);
  if (number === undefined)
    return hangUp([...sentences, callbackText(caller, account), texts.goodbye], account);
  return twimlResponse((response) => {
    saySentences(response, [...sentences, texts.connecting], account);
    const action = callbackUrl(account, { step: 'dialled' });
    response.dial({ action, method: 'POST', timeout: RINGING_S, answerOnBridge: true }, number);
  });
}

/** Returns how the caller can reach a person later. */
export function callbackText(caller: string | null, { settings }: VoiceAccount): string {
  const texts = voiceTexts(settings.language);
  return caller === null ? texts.callAgain : texts.callBack;
}

/** Speaks the last sentences of a call and hangs up. */
export function hangUp(sentences: readonly string[], account: VoiceAccount): HttpAnswer {
  return twimlResponse((response) => {
    saySentences(response, sentences, account);
    response.hangup();
  });
}

/** Speaks the first sentence separately, so that it is heard while Twilio synthesises the others. */
function saySentences(
  target: Pick<VoiceResponse, 'say'>,
  sentences: readonly string[],
  { settings: { language, voice } }: VoiceAccount,
): void {
  const [first, ...others] = sentences;
  const attributes = { language, ...(voice !== undefined && { voice }) };
  if (first !== undefined) target.say(attributes, first);
  if (others.length > 0) target.say(attributes, others.join(' '));
}

/** Builds TwiML with Twilio's library, which escapes all text. */
export function twimlResponse(write: (response: VoiceResponse) => void): HttpAnswer {
  const response = new VoiceResponse();
  write(response);
  return { status: 200, contentType: 'text/xml; charset=utf-8', body: response.toString() };
}

/** The parameter that tells the relay how long its greeting is. */
export const greetingParameter = 'greeting_characters';

/** Connects a call to ConversationRelay, which opens a socket to this server. */
export function connectRelay(account: VoiceAccount, disclosure: string | null): HttpAnswer {
  const { language, voice, hints } = account.settings;
  const url = (account.webhookUrl ?? '').replace(/#.*$/s, '').replace(/^http/, 'ws');
  const welcomeGreeting = greetingTexts(account, disclosure).join(' ');
  return twimlResponse((response) => {
    const connect = response.connect({ action: callbackUrl(account, { step: 'relayed' }), method: 'POST' });
    const relay = connect.conversationRelay({
      url,
      welcomeGreeting,
      welcomeGreetingInterruptible: 'any',
      language,
      interruptible: 'any',
      preemptible: false,
      dtmfDetection: true,
      ...(voice !== undefined && { voice }),
      ...(hints !== undefined && { hints }),
    });
    relay.parameter({ name: greetingParameter, value: String(welcomeGreeting.length) });
  });
}
