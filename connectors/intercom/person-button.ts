import { humanOffers, offerTexts } from '../shared/offer-texts.ts';
import type { IntercomAccount } from './manifest.ts';

/** Of the button that calls a person: Intercom shows it to us again when it is pressed. */
export const PERSON_UUID = '6d0b3f0e-3c5a-4b8e-9d7a-52f1c8a4e017';

/** What the button says; `language` is an ISO 639-1 code. */
export function personButton({ settings }: IntercomAccount, language: string | undefined): string {
  return settings.person_button ?? offerTexts(language).human;
}

/** Whether these are the words of the button, of whatever language. */
export function isPersonButton(text: string, { settings }: IntercomAccount): boolean {
  return text === settings.person_button || humanOffers.includes(text);
}
