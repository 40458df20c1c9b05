import { listParts, uniteWords } from './find-language.ts';

/** The values of number words without accents, in all languages: from two on, and the tens. */
export const numberWords: ReadonlyMap<string, number> = new Map(
  listParts(({ grammar }) => grammar?.numbers).flatMap(({ fromTwo, tens }) => [
    ...fromTwo.split(/\s+/u).map((word, index): [string, number] => [word, index + 2]),
    ...tens.split(/\s+/u).map((word, index): [string, number] => [word, (index + 3) * 10]),
  ]),
);

/** The forms of `one`, which is an article as well: it counts only before a unit. */
export const wordsForOne = uniteWords(({ grammar }) => grammar?.numbers?.one);
