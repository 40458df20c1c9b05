/** Latin combining marks, Arabic vowel signs and the stretching stroke. */
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

/** Lower case without the marks that writers leave out: `Größe` and `grosse` are one word. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return foldCase(text)
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(FOLDED, (letter) => LETTERS[letter] ?? letter);
}

/** Lower case with the marks kept: in Vietnamese they tell words apart. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

const WORD = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々';
/** All those scripts lie from here on; most text has nothing there. */
const MAY_BE_UNSPACED = /[\u0e00-\uffff]/;
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');
const RUN = new RegExp(`[${UNSPACED}][${UNSPACED}\\p{M}]*|[^${UNSPACED}]+`, 'gu');
const NO_WORDS: readonly string[] = [];

/** The words of a folded text; a run of a script that puts no space between words counts as one. */
export function splitWords(folded: string): readonly string[] {
  const words = folded.match(WORD) ?? NO_WORDS;
  return MAY_BE_UNSPACED.test(folded) && HAS_UNSPACED.test(folded)
    ? words.flatMap((word) => word.match(RUN) ?? word)
    : words;
}
