import type { IntercomAccount } from './manifest.ts';

/** Of the button that calls a person: Intercom shows it to us again when it is pressed. */
export const PERSON_UUID = '6d0b3f0e-3c5a-4b8e-9d7a-52f1c8a4e017';

const ENGLISH = 'Talk to a person';

const labels: Readonly<Record<string, string>> = {
  en: ENGLISH,
  de: 'Mit einem Menschen sprechen',
  es: 'Hablar con una persona',
  fr: 'Parler à une personne',
};

/** What the button says, in a language (ISO 639-1) where it is one of ours, else in English. */
export function personButton({ settings }: IntercomAccount, language: string | undefined): string {
  return settings.person_button ?? labels[language ?? 'en'] ?? ENGLISH;
}

/** Whether these are words of the button, of whatever language. */
export function isPersonButton(text: string, { settings }: IntercomAccount): boolean {
  return text === settings.person_button || Object.values(labels).includes(text);
}
