import VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import type { HttpAnswer, PulledParts } from '../../../core/contract/webhook.ts';
import { type CallState, callbackUrl } from './caller-turn.ts';
import type { VoiceAccount } from './manifest.ts';
import { parsePart, type SpeechPart } from './render.ts';
import { greetingText, type VoiceTexts, voiceTexts } from './voice-texts.ts';

/** Half a minute: longer nobody listens to being asked for patience. */
const MAX_LAPS = 7;

interface CallContext {
  readonly state: CallState;
  readonly caller: string | null;
  readonly account: VoiceAccount;
  /** The word for what he hears on with, where that is what he asked for. */
  readonly what: string | null;
}

/** What a caller hears who has said something: what there is to say, or a few words while it is made. */
export function respondToCaller(
  { parts, isAnswering, withPerson }: PulledParts,
  asked: CallContext,
): HttpAnswer {
  const { state, caller, account } = asked;
  const { turn } = state;
  const texts = voiceTexts(account.settings.language);
  const said = parts.map(parsePart).filter((part) => part.kind === 'speech');
  const last = said.at(-1);
  const sentences = said.flatMap((part) => part.sentences);
  if (said.some(({ handover }) => handover)) return transferCall(sentences, caller, account);
  if (last !== undefined) {
    return gatherSpeech(
      [...sentences, ...followUpQuestion(last, texts)],
      { turn: turn + 1, ...last.asks },
      account,
    );
  }
  if (isAnswering) return sayFiller(asked, texts);
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
    // Each is said once; then it is quiet, as it is where a person looks something up.
    if (filler !== undefined && lap < texts.fillers.length) saySentences(response, [filler], account);
    response.redirect({ method: 'POST' }, callbackUrl(account, { step: 'wait', turn, lap: lap + 1, what }));
  });
}

/** So long nobody has to say anything. */
const PATIENCE_S = 6;

/** Says something, over which the caller may speak, and hears what he says then: also where that is nothing. */
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

/** So long it rings. */
const RINGING_S = 25;

/** Passes a caller on to a person, where there is a number to dial; else he hears what comes of his call. */
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

/** When and how a person is to be had after all. */
export function callbackText(caller: string | null, { settings }: VoiceAccount): string {
  const texts = voiceTexts(settings.language);
  return caller === null ? texts.callAgain : texts.callBack;
}

/** Says the last words of a call. */
export function hangUp(sentences: readonly string[], account: VoiceAccount): HttpAnswer {
  return twimlResponse((response) => {
    saySentences(response, sentences, account);
    response.hangup();
  });
}

/** Reads sentences aloud, the first by itself, so that it is heard while the others are still being made into a voice. */
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

/** What Twilio is to do next, as its own library writes it: whatever is said in it is text there, and no markup. */
export function twimlResponse(write: (response: VoiceResponse) => void): HttpAnswer {
  const response = new VoiceResponse();
  write(response);
  return { status: 200, contentType: 'text/xml; charset=utf-8', body: response.toString() };
}

/** Hands a call to ConversationRelay, which comes back to us over a socket. */
export function connectRelay(account: VoiceAccount): HttpAnswer {
  const { language, voice, hints } = account.settings;
  const url = (account.webhookUrl ?? '').replace(/#.*$/s, '').replace(/^http/, 'ws');
  return twimlResponse((response) => {
    const connect = response.connect({ action: callbackUrl(account, { step: 'relayed' }), method: 'POST' });
    connect.conversationRelay({
      url,
      welcomeGreeting: greetingText(account),
      welcomeGreetingInterruptible: 'any',
      language,
      interruptible: 'any',
      preemptible: false,
      dtmfDetection: true,
      ...(voice !== undefined && { voice }),
      ...(hints !== undefined && { hints }),
    });
  });
}
