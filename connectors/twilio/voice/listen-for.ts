import type { HttpAnswer } from '../../../core/contract/webhook.ts';
import { addressFor, type CallState } from './call-state.ts';
import type { VoiceAccount } from './manifest.ts';
import { speak } from './speak.ts';
import { twimlAnswer } from './twiml-answer.ts';

/** So long nobody has to say anything. */
const PATIENCE_S = 6;

/** Says something, over which the caller may speak, and hears what he says then: also where that is nothing. */
export function listenFor(
  sentences: readonly string[],
  next: Partial<CallState> & Pick<CallState, 'turn'>,
  account: VoiceAccount,
): HttpAnswer {
  const { language, hints } = account.settings;
  return twimlAnswer((response) => {
    const gather = response.gather({
      input: ['speech', 'dtmf'],
      action: addressFor(account, { ...next, step: 'turn' }),
      method: 'POST',
      actionOnEmptyResult: true,
      speechTimeout: 'auto',
      timeout: PATIENCE_S,
      numDigits: 1,
      bargeIn: true,
      language,
      ...(hints !== undefined && { hints }),
    });
    speak(gather, sentences, account);
  });
}
