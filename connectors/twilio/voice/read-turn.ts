import type { CallFields } from './call-fields.ts';
import type { CallState } from './call-state.ts';
import { meaningOf } from './meaning-of.ts';
import type { VoiceTexts } from './voice-texts.ts';

/** What a caller did when it was his turn. */
export type CallerTurn = 'silence' | 'mumble' | 'question' | 'person' | 'more' | 'link' | 'no' | 'bye';

/** Below that Twilio itself does not believe what it heard; 0 is what it tells where it does not know. */
const DOUBTFUL = 0.3;

/** Words mean a yes or a no where the caller was asked something, and a question where he was not. */
export function readTurn(
  { SpeechResult, Digits, Confidence }: Pick<CallFields, 'SpeechResult' | 'Digits' | 'Confidence'>,
  { asks, what }: Pick<CallState, 'asks' | 'what'>,
  texts: VoiceTexts,
): CallerTurn {
  const offered = asks === 'else' || what !== null ? asks : null;
  const digit = Digits?.trim() ?? '';
  if (digit === '0') return 'person';
  if (digit !== '') return readDigit(digit, offered);
  const speech = SpeechResult?.trim() ?? '';
  if (speech === '') return 'silence';
  const meaning = meaningOf(speech, texts);
  if (meaning === 'bye') return 'bye';
  if (meaning === 'yes' && (offered === 'more' || offered === 'link')) return offered;
  // What the answer itself asked, only who answers knows.
  if (meaning === 'no' && offered !== null) return offered === 'else' ? 'bye' : 'no';
  const confidence = Number(Confidence ?? 0);
  return confidence > 0 && confidence < DOUBTFUL ? 'mumble' : 'question';
}

function readDigit(digit: string, offered: CallState['asks']): CallerTurn {
  if (offered === 'link' && ['9', '1'].includes(digit)) return 'link';
  if (offered === 'more' && digit === '1') return 'more';
  return offered === 'more' || offered === 'link' ? 'no' : 'mumble';
}
