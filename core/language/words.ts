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

/** Where an address may be: most texts have none, and the test is cheaper than the search. */
const MAY_HOLD_ADDRESS = /@|:\/\/|www\./;
/** A web or e-mail address in a folded text. */
const ADDRESS =
  /\b(?:https?:\/\/|www\.)[!#$%&*-;=?-Z^-z~]+|(?<![a-z0-9.+_-])[a-z0-9.+_-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+/g;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const WORD = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々';
/** A cheap first test: all of those scripts lie at or above this code point, and most texts have no such letter. */
const MAY_BE_UNSPACED = /[\u0e00-\uffff]/;
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');
const RUN = new RegExp(`[${UNSPACED}][${UNSPACED}\\p{M}]*|[^${UNSPACED}]+`, 'gu');
const NO_WORDS: readonly string[] = [];

/** Splits a folded text into words as `splitWords` does, but keeps web and e-mail addresses whole. */
export function splitWordsAndAddresses(folded: string): readonly string[] {
  if (!MAY_HOLD_ADDRESS.test(folded)) return splitWords(folded);
  const words: string[] = [];
  let end = 0;
  for (const { 0: found, index } of folded.matchAll(ADDRESS)) {
    for (const word of splitWords(folded.slice(end, index))) words.push(word);
    words.push(withoutPunctuation(found));
    end = index + found.length;
  }
  return [...words, ...splitWords(folded.slice(end))];
}

/** Returns whether a word from `splitWordsAndAddresses` is a web or e-mail address. */
export function isAddress(word: string): boolean {
  return MAY_HOLD_ADDRESS.test(word);
}

/** Removes what ends the sentence and not the address. */
function withoutPunctuation(address: string): string {
  let end = address.length;
  while (end > 0 && !LETTER_OR_DIGIT.test(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

/** Splits a folded text into words. A run of a script without spaces between words counts as one word. */
export function splitWords(folded: string): readonly string[] {
  const words = folded.match(WORD) ?? NO_WORDS;
  return MAY_BE_UNSPACED.test(folded) && HAS_UNSPACED.test(folded)
    ? words.flatMap((word) => word.match(RUN) ?? word)
    : words;
}
