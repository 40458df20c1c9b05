import type { HttpAnswer } from '../../../core/contract/webhook.ts';
import { addressFor } from './call-state.ts';
import { hangUp } from './hang-up.ts';
import type { VoiceAccount } from './manifest.ts';
import { speak } from './speak.ts';
import { twimlAnswer } from './twiml-answer.ts';
import { voiceTexts } from './voice-texts.ts';

/** So long it rings. */
const RINGING_S = 25;

/** Passes a caller on to a person, where there is a number to dial; else he hears what comes of his call. */
export function handOff(
  sentences: readonly string[],
  caller: string | null,
  account: VoiceAccount,
): HttpAnswer {
  const { transfer_to: number, language } = account.settings;
  const texts = voiceTexts(language);
  if (number === undefined) return hangUp([...sentences, later(caller, account), texts.goodbye], account);
  return twimlAnswer((response) => {
    speak(response, [...sentences, texts.connecting], account);
    const action = addressFor(account, { step: 'dialled' });
    response.dial({ action, method: 'POST', timeout: RINGING_S, answerOnBridge: true }, number);
  });
}

/** When and how a person is to be had after all. */
export function later(caller: string | null, { settings }: VoiceAccount): string {
  const texts = voiceTexts(settings.language);
  return caller === null ? texts.callAgain : texts.callBack;
}
