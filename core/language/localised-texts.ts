import { findLanguage } from './find-language.ts';
import { detectLanguage } from './language.ts';
import type { LanguageTexts } from './language-texts.ts';
import { english } from './languages/en/english.ts';

/** Returns a text in a language (ISO 639-1), or in English if there is no translation. */
export function findText<Part extends keyof LanguageTexts>(
  part: Part,
  language: string,
): LanguageTexts[Part] {
  return findLanguage(language)?.texts?.[part] ?? english.texts[part];
}

/** Returns the language (ISO 639-1) of the text that `findText` returns. */
export function findTextLanguage(part: keyof LanguageTexts, language: string): string {
  return findLanguage(language)?.texts?.[part] === undefined ? 'en' : language;
}

/**
 * Returns the fallback message in the wanted language (ISO 639-1) if there is a translation, otherwise in the language of
 * the question, otherwise in English.
 */
export function fallbackMessage(question: string, locale: string | null = null): string {
  const translated = locale === null ? undefined : findLanguage(locale)?.texts?.fallback;
  return translated ?? findText('fallback', detectLanguage(question).code);
}

/**
 * Returns the built-in sentences that say that a machine answers, in a language (ISO 639-1). `offersPerson`: whether a
 * person can be asked for.
 */
export function disclosureMessage(
  language: string,
  { offersPerson }: { readonly offersPerson: boolean },
): string {
  const { machine, person } = findText('disclosure', language);
  if (!offersPerson) return machine;
  const isSpaceless = findLanguage(findTextLanguage('disclosure', language))?.spaceless === true;
  return [machine, person].join(isSpaceless ? '' : ' ');
}

/** The fallback messages of a workspace's settings, by language and for all languages. */
interface OwnFallbacks {
  readonly fallback_messages?: Readonly<Record<string, string>> | undefined;
  readonly fallback_message?: string | null | undefined;
}

/** Returns the workspace's own fallback message for a language (ISO 639-1), or null if the built-in one counts. */
export function ownFallbackMessage(
  { fallback_messages: byLanguage, fallback_message: forAll }: OwnFallbacks,
  language: string,
): string | null {
  return ownText({ byLanguage, forAll }, language);
}

/** A text of a workspace's settings, by language and for all languages. */
interface OwnTexts {
  readonly byLanguage: Readonly<Record<string, string>> | undefined;
  readonly forAll: string | null | undefined;
}

/** Returns a workspace's own text for a language (ISO 639-1), or null if the built-in one counts. */
export function ownText({ byLanguage = {}, forAll }: OwnTexts, language: string): string | null {
  const [, text] = Object.entries(byLanguage).find(([code]) => code === language) ?? [];
  return text ?? forAll ?? null;
}

/** Returns the message below one of several questions that has no answer, in the language of that question. */
export function missingPartMessage(question: string): string {
  return findText('missingPart', detectLanguage(question).code);
}

/** Returns the words before a section that may be the answer, in the language of the question. */
export function unsureMessage(question: string): string {
  return findText('unsure', detectLanguage(question).code);
}
