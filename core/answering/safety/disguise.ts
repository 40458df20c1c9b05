// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for plain ASCII
const ASCII = /^[\u0000-\u007f]*$/;
/** What is not seen between letters, and marks that belong to no letter of their own. */
const UNSEEN = /\p{Cf}|[\u0300-\u036f]|[\u20d0-\u20ff]|\u3164|[\ufe00-\ufe0f]/gu;
/** Letters that stand apart, four or more in a row: `S e n d`, `s.e.n.d`. */
const SPELLED =
  /(?<![\p{L}\p{N}\p{M}])\p{L}\p{M}{0,4}(?:[^\p{L}\p{N}\p{M}\n]{1,3}\p{L}\p{M}{0,4}(?![\p{L}\p{N}\p{M}])){3,}/gu;
/** Three of them: a fourth may come. */
const BEGUN =
  /(?<![\p{L}\p{N}\p{M}])\p{L}\p{M}{0,4}(?:[^\p{L}\p{N}\p{M}\n]{1,3}\p{L}\p{M}{0,4}(?![\p{L}\p{N}\p{M}])){2}/u;
const APART = /[^\p{L}\p{M}]+/gu;
const LETTERS = /[^\p{L}\p{N}\p{M}\p{Cf}]+/gu;

/**
 * A text as it is to be judged: full-width and other letters that stand for plain ones are those, unseen signs are gone and
 * letters that were set apart are a word again, which `written` may write otherwise.
 */
export function withoutDisguise(text: string, written = (word: string): string => word): string {
  return plainLetters(text).replace(SPELLED, (spelled) => written(spelled.replace(APART, '')));
}

/** Whether a text says something else to a reader than to a comparison of its words. */
export function isDisguised(text: string): boolean {
  if (BEGUN.test(text)) return true;
  if (ASCII.test(text)) return false;
  const letters = text.replace(LETTERS, '');
  return plainLetters(letters) !== letters;
}

/** In normalisation form KC, without what is not seen. */
export function plainLetters(text: string): string {
  return ASCII.test(text) ? text : text.normalize('NFKC').replace(UNSEEN, '');
}
