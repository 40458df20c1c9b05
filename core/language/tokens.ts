import { stemmer } from 'stemmer';
import type { Language } from './language.ts';
import { STOP_WORDS } from './stop-words.ts';
import { fold, foldCase, isAddress, splitWordsAndAddresses } from './words.ts';

/** Returns the kind of tokens under which the index stores texts of this language. */
export function tokenKindFor(language: Language): TokenKind {
  if (language.class !== 'latin') return 'stems';
  return language.code === 'vi' ? 'syllables' : 'grams';
}

/**
 * Splits a text into folded words. A web or e-mail address is one word: `help@shop.example` is not about help.
 * Diacritics are kept only in Vietnamese, where they distinguish words.
 */
export function splitFoldedWords(text: string, tokens: TokenKind): readonly string[] {
  return splitWordsAndAddresses(tokens === 'syllables' ? foldCase(text) : fold(text));
}

/** Returns all tokens of a text in reading order, with repeats. */
export function tokenise(text: string, tokens: TokenKind): readonly string[] {
  return splitFoldedWords(text, tokens).flatMap((word) => tokeniseWord(word, tokens));
}

/**
 * Determines the tokens of words in Latin script: English stems, four-letter grams for any other language, or (in
 * Vietnamese) the words themselves. It does not affect words of other scripts.
 */
export type TokenKind = 'stems' | 'grams' | 'syllables';

const LATIN = /^[\p{Script=Latin}\p{N}]/u;
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;
const HANGUL = /^\p{Script=Hangul}/u;
/** Particles and verb endings that Korean attaches to a word of two syllables or more. */
const KOREAN_ENDING =
  /(?<=..)(?:은|는|이|가|을|를|의|에|에서|에게|으로|로|와|과|도|만|까지|부터|하나요|되나요|인가요|나요|가요|합니다|됩니다|입니다|습니다|니다)$/u;
const NONE: readonly string[] = [];
/** Stemming costs far more than a look-up, and words repeat often. */
const MAX_CACHED_STEMS = 50_000;
const stems = new Map<string, readonly string[]>();
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Returns the index tokens of one word from `splitFoldedWords`; none for an English stop word. */
export function tokeniseWord(word: string, tokens: TokenKind): readonly string[] {
  if (isLatin(word)) {
    if (tokens === 'stems') return stemWord(word);
    if (isAddress(word)) return [word];
    return tokens === 'grams' ? characterGrams(word, 4) : [word];
  }
  if (isUnspaced(word)) return [...segmentWord(word), ...(word.length > 1 ? characterGrams(word, 2) : NONE)];
  return HANGUL.test(word) ? characterGrams(word.replace(KOREAN_ENDING, ''), 2) : characterGrams(word, 4);
}

export function isLatin(word: string): boolean {
  return LATIN.test(word);
}

/** Returns whether the word is a run of a script without spaces between words. */
export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word);
}

/** Splits a run of text without spaces into words. */
export function segmentWord(run: string): readonly string[] {
  return Array.from(segmenter.segment(run), ({ segment }) => segment);
}

/** Returns the overlapping grams of `size` characters, or the word itself if it is not longer. */
export function characterGrams(word: string, size: number): readonly string[] {
  if (word.length <= size) return [word];
  const letters = Array.from(word);
  const found: string[] = [];
  for (let end = size; end <= letters.length; end += 1) found.push(letters.slice(end - size, end).join(''));
  return found.length === 0 ? [word] : found;
}

/** Returns a list with the stem of an English word, or an address unchanged; empty for a stop word. */
export function stemWord(word: string): readonly string[] {
  let found = stems.get(word);
  if (found === undefined) {
    if (stems.size >= MAX_CACHED_STEMS) stems.clear();
    found = STOP_WORDS.has(word) ? NONE : [isAddress(word) ? word : stemmer(word)];
    stems.set(word, found);
  }
  return found;
}

/** Returns the FNV-1a hash over UTF-16 code units as a signed 32-bit integer. The index stores it instead of tokens. */
export function termHash(token: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < token.length; index += 1) {
    hash = Math.imul(hash ^ token.charCodeAt(index), 0x01000193);
  }
  return hash | 0;
}
