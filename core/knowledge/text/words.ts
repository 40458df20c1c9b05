/** Latin combining marks, Arabic vowel signs and the tatweel. */
const MARKS = /[\u0300-\u036f\u064b-\u0655\u0670\u0640]/gu;
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
  ى: 'ي',
  ة: 'ه',
};
const FOLDED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for plain ASCII
const ASCII = /^[\u0000-\u007f]*$/;

/** Lower-cases a text and removes the diacritics that writers often omit, so that `Größe` equals `grosse`. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return foldCase(text)
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(FOLDED, (letter) => LETTERS[letter] ?? letter);
}

/** Lower-cases a text and keeps its diacritics, which distinguish words in Vietnamese. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

const WORD = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々';
/** A cheap first test: all of those scripts lie at or above this code point, and most texts have no such letter. */
const MAY_BE_UNSPACED = /[\u0e00-\uffff]/;
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');
const RUN = new RegExp(`[${UNSPACED}][${UNSPACED}\\p{M}]*|[^${UNSPACED}]+`, 'gu');
const NO_WORDS: readonly string[] = [];

/** Splits a folded text into words. A run of a script without spaces between words counts as one word. */
export function splitWords(folded: string): readonly string[] {
  const words = folded.match(WORD) ?? NO_WORDS;
  return MAY_BE_UNSPACED.test(folded) && HAS_UNSPACED.test(folded)
    ? words.flatMap((word) => word.match(RUN) ?? word)
    : words;
}
