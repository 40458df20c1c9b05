import { z } from 'zod';
import type { RawRequest } from '../../../core/contract/webhook.ts';
import { optionalField } from '../../shared/http.ts';
import type { VoiceAccount } from './manifest.ts';
import type { CallFields } from './payloads.ts';
import type { VoiceTexts } from './voice-texts.ts';

const count = z.coerce.number().int().min(0).max(100_000).catch(0);

/** The state of a call between two requests. It is kept in the query of the callback address, which Twilio signs. */
const schema = z.object({
  /** Which callback this is; null for the start of a call. */
  step: optionalField(z.enum(['turn', 'wait', 'dialled', 'relayed'])),
  /** Number of the caller's turn, counted from 1. */
  turn: count,
  /** Number of consecutive silences. */
  quiet: count,
  /** Number of polls for the pending answer. */
  lap: count,
  /** The question to the caller, and the key of the parts to send after a yes. */
  asks: optionalField(z.enum(['more', 'link', 'else'])),
  what: optionalField(z.string().max(200)),
});

export type CallState = z.infer<typeof schema>;

export function parseCallState({ query }: Pick<RawRequest, 'query'>): CallState {
  return schema.parse(query);
}

/** Returns the callback address with the state. Fields that are null or 0 are omitted. */
export function callbackUrl({ webhookUrl }: VoiceAccount, state: Partial<CallState>): string {
  const params = Object.entries(state).flatMap(([name, value]): [string, string][] =>
    value === null || value === 0 ? [] : [[name, String(value)]],
  );
  return `${(webhookUrl ?? '').replace(/#.*$/s, '')}?${new URLSearchParams(params)}`;
}

/** The caller's action in their turn. */
type CallerTurn = 'silence' | 'mumble' | 'question' | 'person' | 'more' | 'link' | 'no' | 'bye';

/** Twilio's transcription is unreliable below this value; 0 means that Twilio reports none. */
const MIN_CONFIDENCE = 0.3;

/**
 * Interprets the caller's turn. A yes or a no counts only if the caller was asked something; otherwise it is a
 * question.
 */
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
  // If the answer itself asked something, only the engine can interpret a no.
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

/** Returns the meaning of a short phrase; null for anything else, which is a question. */
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
