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
