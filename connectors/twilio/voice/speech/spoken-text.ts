import { american, british } from './english.ts';
import { german } from './german.ts';
import type { SpeechLanguage } from './speech-language.ts';
import {
  verbalizeDates,
  verbalizeDigits,
  verbalizePrices,
  verbalizeRanges,
  verbalizeTimes,
  verbalizeUnits,
} from './spoken-numbers.ts';

/**
 * Converts a text without markup to its spoken form in a language (BCP 47): writes out what voices mispronounce. Numbers
 * that every voice reads correctly stay. Pure.
 */
export function spokenText(text: string, tag: string): string {
  const language = speechLanguage(tag);
  const plain = removeAddresses(text.normalize('NFC').replaceAll(/[\u00A0\u202F\u2009]/g, ' '), language);
  if (language === null) return removeSymbols(plain, null);
  const withDates = verbalizeDigits(
    verbalizeDates(expandAbbreviations(plain, language), language, tag),
    language,
  );
  const withTimes = verbalizeTimes(verbalizeRanges(withDates, language), language);
  return removeSymbols(verbalizeUnits(verbalizePrices(withTimes, language), language), language);
}

const others: Readonly<Record<string, SpeechLanguage>> = { de: german, en: british };

/** Returns the rules for a language (BCP 47); null if there are none. */
export function speechLanguage(tag: string): SpeechLanguage | null {
  return tag === 'en-US' ? american : (others[tag.split('-', 1)[0] ?? ''] ?? null);
}

const MAIL = /(?<![\w.+-])([\w.+-]+)@((?:[\w-]+\.)+\p{L}{2,})/gu;
const WEB = /(?:https?:\/\/|www\.)[^\s<>"]*[^\s<>".,;:!?)\]]/giu;
const HOST =
  /(?<![\p{L}\w@.-])(?:[\p{L}\d-]{1,63}\.){1,20}(?:com|net|org|io|eu|de|at|ch|fr|es|uk|info|app|dev|example)(?:\/[^\s<>"]*[^\s<>".,;:!?)\]])?(?![\p{L}\d])/giu;

/** Removes web addresses, which listeners cannot follow, and spells out email addresses. */
export function removeAddresses(text: string, language: SpeechLanguage | null): string {
  const { webAddress = '', at = '@', dot = '.' } = language ?? {};
  const spell = (part: string) => part.replaceAll('.', ` ${dot} `);
  return text
    .replaceAll(MAIL, (all, name: string, host: string) =>
      language === null ? all : `${spell(name)} ${at} ${spell(host)}`,
    )
    .replaceAll(WEB, webAddress)
    .replaceAll(HOST, webAddress);
}

const PICTURES = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{FE0F}|\u{200D}|\u{20E3}/gu;
const TAG = /<\/?[a-z][^<>]*>/giu;
const NOTE = /\[\^?[\w-]{1,12}\]/g;

/** Replaces symbols that have a name, and removes those that are only decoration. */
export function removeSymbols(text: string, language: SpeechLanguage | null): string {
  const signs = Object.entries(language?.signs ?? {});
  const plain = text.replaceAll(TAG, ' ').replaceAll(NOTE, '');
  const worded = signs.reduce((result, [sign, words]) => result.replaceAll(sign, ` ${words} `), plain);
  return worded
    .replaceAll(PICTURES, '')
    .replaceAll(/[*_`~^|\\<>{}[\]#=→•☑☐©®™"„“”«»]/gu, ' ')
    .replaceAll(/\p{Cc}|\p{Cf}/gu, ' ')
    .replaceAll(/\s[–—-]+\s/g, ', ')
    .replaceAll(/[–—]+/g, ', ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,;:!?…])/g, '$1')
    .replaceAll(/\(\s*\)/g, '')
    .replaceAll(/,(?:\s*,)+/g, ',')
    .trim();
}

/** Expands abbreviations. One at the end of the text keeps its full stop. */
export function expandAbbreviations(text: string, { abbreviations }: SpeechLanguage): string {
  const names = Object.keys(abbreviations)
    .toSorted((one, other) => other.length - one.length)
    .map((name) => name.replaceAll('.', String.raw`\.`).replaceAll(' ', String.raw`\s`))
    .join('|');
  const shortened = new RegExp(String.raw`(?<![\p{L}\d.])(${names})(?![\p{L}\d])`, 'gu');
  return text.replaceAll(shortened, (name: string, _name: string, at: number) => {
    const words = abbreviations[name.replaceAll(/\s/g, ' ')] ?? name;
    const isLast = name.endsWith('.') && /^\s*$/.test(text.slice(at + name.length));
    return isLast ? `${words}.` : words;
  });
}
