const WORD = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々';
/** All those scripts lie from here on; most text has nothing there. */
const MAY_BE_UNSPACED = /[\u0e00-\uffff]/;
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');
const RUN = new RegExp(`[${UNSPACED}][${UNSPACED}\\p{M}]*|[^${UNSPACED}]+`, 'gu');
const NONE: readonly string[] = [];

/** The words of a folded text; a run of a script that puts no space between words counts as one. */
export function splitWords(folded: string): readonly string[] {
  const words = folded.match(WORD) ?? NONE;
  return MAY_BE_UNSPACED.test(folded) && HAS_UNSPACED.test(folded)
    ? words.flatMap((word) => word.match(RUN) ?? word)
    : words;
}
