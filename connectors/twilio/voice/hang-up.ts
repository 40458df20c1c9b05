import type { HttpAnswer } from '../../../core/contract/webhook.ts';
import type { VoiceAccount } from './manifest.ts';
import { speak } from './speak.ts';
import { twimlAnswer } from './twiml-answer.ts';

/** Says the last words of a call. */
export function hangUp(sentences: readonly string[], account: VoiceAccount): HttpAnswer {
  return twimlAnswer((response) => {
    speak(response, sentences, account);
    response.hangup();
  });
}
