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
 * A text without markup as it is read aloud in that language (BCP 47): what a voice would stumble over is in words.
 * Numbers that every voice reads well stay as they are. Pure.
 */
export function spokenText(text: string, tag: string): string {
  const language = speechLanguage(tag);
  const told = removeAddresses(text.normalize('NFC').replaceAll(/[\u00A0\u202F\u2009]/g, ' '), language);
  if (language === null) return removeSymbols(told, null);
  const dated = verbalizeDigits(verbalizeDates(expandAbbreviations(told, language), language, tag), language);
  const timed = verbalizeTimes(verbalizeRanges(dated, language), language);
  return removeSymbols(verbalizeUnits(verbalizePrices(timed, language), language), language);
}

const others: Readonly<Record<string, SpeechLanguage>> = { de: german, en: british };

/** How a text of that language (BCP 47) is read aloud; null for one of which nothing is known here. */
export function speechLanguage(tag: string): SpeechLanguage | null {
  return tag === 'en-US' ? american : (others[tag.split('-', 1)[0] ?? ''] ?? null);
}

const MAIL = /(?<![\w.+-])([\w.+-]+)@((?:[\w-]+\.)+\p{L}{2,})/gu;
const WEB = /(?:https?:\/\/|www\.)[^\s<>"]*[^\s<>".,;:!?)\]]/giu;
const HOST =
  /(?<![\p{L}\w@.-])(?:[\p{L}\d-]{1,63}\.){1,20}(?:com|net|org|io|eu|de|at|ch|fr|es|uk|info|app|dev|example)(?:\/[^\s<>"]*[^\s<>".,;:!?)\]])?(?![\p{L}\d])/giu;

/** Nobody can follow an address of the web that is read out; one of mail can be told. */
export function removeAddresses(text: string, language: SpeechLanguage | null): string {
  const { webAddress = '', at = '@', dot = '.' } = language ?? {};
  const tell = (part: string) => part.replaceAll('.', ` ${dot} `);
  return text
    .replaceAll(MAIL, (all, name: string, host: string) =>
      language === null ? all : `${tell(name)} ${at} ${tell(host)}`,
    )
    .replaceAll(WEB, webAddress)
    .replaceAll(HOST, webAddress);
}

const PICTURES = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{FE0F}|\u{200D}|\u{20E3}/gu;
const TAG = /<\/?[a-z][^<>]*>/giu;
const NOTE = /\[\^?[\w-]{1,12}\]/g;

/** Words for signs that mean one, and nothing for those that only look like something. */
export function removeSymbols(text: string, language: SpeechLanguage | null): string {
  const signs = Object.entries(language?.signs ?? {});
  const plain = text.replaceAll(TAG, ' ').replaceAll(NOTE, '');
  const worded = signs.reduce((told, [sign, words]) => told.replaceAll(sign, ` ${words} `), plain);
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

/** Whole words for what is shortened. One that ends a sentence leaves its full stop there. */
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
