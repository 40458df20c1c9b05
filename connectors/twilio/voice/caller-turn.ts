import { z } from 'zod';
import type { RawRequest } from '../../../core/contract/webhook.ts';
import { optionalField } from '../../shared/payload.ts';
import type { VoiceAccount } from './manifest.ts';
import type { CallFields } from './payloads.ts';
import type { VoiceTexts } from './voice-texts.ts';

const count = z.coerce.number().int().min(0).max(100_000).catch(0);

/** What is known of a call at the moment of a request: it stands in the address, which Twilio signs. */
const schema = z.object({
  /** Why Twilio asks; null where a call begins. */
  step: optionalField(z.enum(['turn', 'wait', 'dialled', 'relayed'])),
  /** Of the caller's, counted from 1. */
  turn: count,
  /** How often nothing was heard, one time after the other. */
  quiet: count,
  /** How often the answer was not there yet. */
  lap: count,
  /** What the caller was asked, and the word for what he gets if he says yes. */
  asks: optionalField(z.enum(['more', 'link', 'else'])),
  what: optionalField(z.string().max(200)),
});

export type CallState = z.infer<typeof schema>;

export function parseCallState({ query }: Pick<RawRequest, 'query'>): CallState {
  return schema.parse(query);
}

/** Where Twilio goes on from here: what stays as it was, and is nothing, is left out. */
export function callbackUrl({ webhookUrl }: VoiceAccount, state: Partial<CallState>): string {
  const told = Object.entries(state).flatMap(([name, value]): [string, string][] =>
    value === null || value === 0 ? [] : [[name, String(value)]],
  );
  return `${(webhookUrl ?? '').replace(/#.*$/s, '')}?${new URLSearchParams(told)}`;
}

/** What a caller did when it was his turn. */
type CallerTurn = 'silence' | 'mumble' | 'question' | 'person' | 'more' | 'link' | 'no' | 'bye';

/** Below that Twilio itself does not believe what it heard; 0 is what it tells where it does not know. */
const MIN_CONFIDENCE = 0.3;

/** Words mean a yes or a no where the caller was asked something, and a question where he was not. */
export function parseCallerTurn(
  { SpeechResult, Digits, Confidence }: Pick<CallFields, 'SpeechResult' | 'Digits' | 'Confidence'>,
  { asks, what }: Pick<CallState, 'asks' | 'what'>,
  texts: VoiceTexts,
): CallerTurn {
  const offered = asks === 'else' || what !== null ? asks : null;
  const digit = Digits?.trim() ?? '';
  if (digit === '0') return 'person';
  if (digit !== '') return parseDigit(digit, offered);
  const speech = SpeechResult?.trim() ?? '';
  if (speech === '') return 'silence';
  const meaning = parseVoiceCommand(speech, texts);
  if (meaning === 'bye') return 'bye';
  if (meaning === 'yes' && (offered === 'more' || offered === 'link')) return offered;
  // What the answer itself asked, only who answers knows.
  if (meaning === 'no' && offered !== null) return offered === 'else' ? 'bye' : 'no';
  const confidence = Number(Confidence ?? 0);
  return confidence > 0 && confidence < MIN_CONFIDENCE ? 'mumble' : 'question';
}

function parseDigit(digit: string, offered: CallState['asks']): CallerTurn {
  if (offered === 'link' && ['9', '1'].includes(digit)) return 'link';
  if (offered === 'more' && digit === '1') return 'more';
  return offered === 'more' || offered === 'link' ? 'no' : 'mumble';
}

type VoiceCommand = 'yes' | 'no' | 'bye';

/** What a few words of a caller mean by themselves; null for everything longer, which is a question. */
function parseVoiceCommand(speech: string, texts: VoiceTexts): VoiceCommand | null {
  const words = normaliseSpeech(speech);
  const isOne = (list: readonly string[]) => list.some((one) => normaliseSpeech(one) === words);
  if (isOne(texts.yes)) return 'yes';
  if (isOne(texts.bye)) return 'bye';
  return isOne(texts.no) ? 'no' : null;
}

function normaliseSpeech(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{M}\d]+/gu, ' ')
    .trim();
}
