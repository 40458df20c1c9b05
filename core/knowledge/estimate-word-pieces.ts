import { STOP_WORDS } from './stop-words.ts';

/** Whether text is mostly English decides how well the built-in model's vocabulary knows its words. */
export type Vocabulary = 'english' | 'foreign';

const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const TOKEN = new RegExp(
  `\\p{N}+|[${UNSPACED}]|(?:\\p{Script=Latin}|[\u0300-\u036f])+|(?:(?![${UNSPACED}]|\\p{Script=Latin})[\\p{L}\\p{M}])+|[^\\s\\p{L}\\p{M}\\p{N}]`,
  'gu',
);
const LATIN = /^\p{Script=Latin}/u;
const LETTER = /^\p{L}/u;
const DIGIT = /^\p{N}/u;
const WORD = /\p{L}+/gu;
const SAMPLE_CHARACTERS = 20_000;
const MIN_STOP_WORD_SHARE = 0.16;

/** Judges by the beginning of a text. */
export function vocabularyOf(texts: Iterable<string>): Vocabulary {
  let sample = '';
  for (const text of texts) {
    sample += `${text.slice(0, SAMPLE_CHARACTERS)}\n`;
    if (sample.length >= SAMPLE_CHARACTERS) break;
  }
  const words = sample.toLowerCase().match(WORD) ?? [];
  const stopWords = words.filter((word) => STOP_WORDS.has(word)).length;
  return stopWords >= words.length * MIN_STOP_WORD_SHARE ? 'english' : 'foreign';
}

/**
 * How many word pieces the built-in embedding model makes of a text, without the model: fitted to its tokeniser, a
 * little above it. In scripts that the model cannot read, where the count would mean nothing, it is what keeps a
 * passage as long as one of another language.
 */
export function estimateWordPieces(text: string, vocabulary: Vocabulary): number {
  let pieces = 0;
  for (const [token] of text.matchAll(TOKEN)) pieces += tokenPieces(token, vocabulary);
  return Math.ceil(pieces);
}

function tokenPieces(token: string, vocabulary: Vocabulary): number {
  const { length } = token;
  if (length <= 2) return 1;
  if (LATIN.test(token)) return vocabulary === 'english' ? englishPieces(length) : Math.max(1, length * 0.36);
  if (DIGIT.test(token)) return length <= 4 ? length * 0.4 : length * 0.55;
  return LETTER.test(token) ? length * 0.46 : 1;
}

/** Common words are one piece; what is longer than words are (identifiers, names run together) falls apart. */
function englishPieces(length: number): number {
  if (length <= 7) return 1.1;
  if (length <= 12) return 1.45;
  return length <= 16 ? length * 0.17 : length * 0.35;
}
