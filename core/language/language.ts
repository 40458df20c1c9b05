import { eld } from 'eld/small';
import { LRUCache } from 'lru-cache';
import { languages } from './languages/index.ts';

/** Selects weights and tokens: English, another language in Latin script, or any other script. */
export type LanguageClass = 'english' | 'latin' | 'other';

export interface Language {
  /** ISO 639-1 code, or `und` if undetermined. */
  readonly code: string;
  readonly class: LanguageClass;
}

const LETTER = /\p{L}/gu;
const LATIN = /\p{Script=Latin}/gu;
/** Scripts in which one letter carries about as much text as three Latin letters. */
const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;
/** Scripts used by a single language. Kana comes before Han because Japanese mixes both. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = languages.flatMap(({ script, code }) =>
  script instanceof RegExp ? [[script, code] as const] : [],
);
/**
 * Languages that are told apart by statistics: those that the product knows, and those with many speakers. A short list
 * makes detection of short texts safer.
 */
const LATIN_LANGUAGES = [...codesOf('latin'), ...'da no fi cs hu hr id ca'.split(' ')];
const OTHER_LANGUAGES = [...codesOf('other'), ...'bg sr fa ur bn ta te'.split(' ')];
/** Enough for a reliable detection; more characters only cost time. */
const SAMPLE_CHARACTERS = 600;
/**
 * Up to `FEW_WORDS` words count as English if English scores at least `NEAR_TIE_RATIO` of the best guess: `reset password`
 * is detected as Italian otherwise.
 */
const FEW_WORDS = 2;
const NEAR_TIE_RATIO = 0.84;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for plain ASCII
const ASCII = /^[\u0000-\u007f]*$/u;

const SPANISH_MARK = /[¿¡]/u;

const latinDetector = eld.newInstance();
latinDetector.setLanguageSubset([...new Set(LATIN_LANGUAGES)]);
const otherDetector = eld.newInstance();
otherDetector.setLanguageSubset([...new Set(OTHER_LANGUAGES)]);

/** Several steps of one answer detect the language of the same question. */
const languageCache = new LRUCache<string, Language>({ max: 500 });

/** Detects the language of a text. The result is deterministic. It is unreliable for texts of one or two words. */
export function detectLanguage(text: string): Language {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const cached = languageCache.get(sample);
  if (cached !== undefined) return cached;
  const language = detectUncached(sample);
  languageCache.set(sample, language);
  return language;
}

/** Fewer Latin letters do not tell a language: `ok` is detected as Polish. */
const TELLING_LETTERS = 12;
/** Fewer are not even good for a guess. */
const GUESS_LETTERS = 7;

/** Returns the ISO 639-1 code of a text that is long enough to be sure of it, otherwise null. */
export function detectReliably(text: string): string | null {
  const { code } = detectLanguage(text);
  if (code === 'und') return null;
  // Chinese shares its letters with Japanese; the other scripts tell their language by one letter.
  if (code !== 'zh' && SCRIPTS.some(([, language]) => language === code)) return code;
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  return count(sample, LETTER) + 2 * count(sample, DENSE) >= TELLING_LETTERS ? code : null;
}

/**
 * Returns the language of the first text that is long enough to tell it; otherwise the first known setting, otherwise a
 * guess from the first text, otherwise English. ISO 639-1.
 */
export function chooseLanguage(
  texts: readonly string[],
  settings: readonly (string | null | undefined)[],
): string {
  for (const text of texts) {
    const code = detectReliably(text);
    if (code !== null) return code;
  }
  const setting = settings.find((code) => code != null && code !== '');
  if (setting != null) return setting.toLowerCase().split(/[-_]/u, 1)[0] ?? setting;
  const [first = ''] = texts;
  const { code } = detectLanguage(first);
  return code !== 'und' && count(first, LETTER) >= GUESS_LETTERS ? code : 'en';
}

function detectUncached(sample: string): Language {
  const letters = count(sample, LETTER);
  if (letters === 0) return { code: 'und', class: 'english' };
  const latin = count(sample, LATIN);
  const dense = count(sample, DENSE);
  if (latin >= letters - latin + 2 * dense) return detectLatinLanguage(sample);
  const script = SCRIPTS.find(([pattern]) => pattern.test(sample));
  return { code: script?.[1] ?? (otherDetector.detect(sample).language || 'und'), class: 'other' };
}

function detectLatinLanguage(sample: string): Language {
  if (SPANISH_MARK.test(sample)) return { code: 'es', class: 'latin' };
  const guess = latinDetector.detect(sample);
  if (guess.language === 'en') return { code: 'en', class: 'english' };
  if (guess.language === '') return { code: 'und', class: 'english' };
  if (ASCII.test(sample) && sample.trim().split(/\s+/u).length <= FEW_WORDS) {
    const scores = guess.getScores();
    if ((scores.en ?? 0) >= NEAR_TIE_RATIO * (scores[guess.language] ?? 1))
      return { code: 'en', class: 'english' };
  }
  return { code: guess.language, class: 'latin' };
}

function codesOf(wanted: 'latin' | 'other'): readonly string[] {
  return languages.filter(({ script }) => script === wanted).map(({ code }) => code);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
