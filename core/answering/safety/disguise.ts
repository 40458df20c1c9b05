// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for plain ASCII
const ASCII = /^[\u0000-\u007f]*$/;
/** Invisible characters, and combining marks without a letter of their own. */
const INVISIBLE = /\p{Cf}|[\u0300-\u036f]|[\u20d0-\u20ff]|\u3164|[\ufe00-\ufe0f]/gu;
/** Spaced-out letters, four or more in a row: `S e n d`, `s.e.n.d`. */
const SPELLED =
  /(?<![\p{L}\p{N}\p{M}])\p{L}\p{M}{0,4}(?:[^\p{L}\p{N}\p{M}\n]{1,3}\p{L}\p{M}{0,4}(?![\p{L}\p{N}\p{M}])){3,}/gu;
/** Three of them: a fourth may follow. */
const PARTLY_SPELLED =
  /(?<![\p{L}\p{N}\p{M}])\p{L}\p{M}{0,4}(?:[^\p{L}\p{N}\p{M}\n]{1,3}\p{L}\p{M}{0,4}(?![\p{L}\p{N}\p{M}])){2}/u;
const APART = /[^\p{L}\p{M}]+/gu;
const LETTERS = /[^\p{L}\p{N}\p{M}\p{Cf}]+/gu;

/**
 * Returns a text for comparison: compatibility characters such as full-width letters become plain ones, invisible
 * characters are removed and spaced-out letters are joined into a word, which `written` can replace.
 */
export function withoutDisguise(text: string, written = (word: string): string => word): string {
  return plainLetters(text).replace(SPELLED, (spelled) => written(spelled.replace(APART, '')));
}

/** Returns whether a text reads differently to a person than to a comparison of its words. */
export function isDisguised(text: string): boolean {
  if (PARTLY_SPELLED.test(text)) return true;
  if (ASCII.test(text)) return false;
  const letters = text.replace(LETTERS, '');
  return plainLetters(letters) !== letters;
}

/** Normalises to NFKC and removes invisible characters. */
export function plainLetters(text: string): string {
  return ASCII.test(text) ? text : text.normalize('NFKC').replace(INVISIBLE, '');
}
