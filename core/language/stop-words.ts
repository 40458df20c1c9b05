import { uniteWords } from './find-language.ts';
import { english } from './languages/en/english.ts';
import { languages } from './languages/index.ts';
import { wordSet } from './patterns.ts';
import { fold, foldCase } from './words.ts';

/** English words without meaning for a search. Single letters are rests of contractions (`don't`, `it's`). */
export const STOP_WORDS: ReadonlySet<string> = wordSet(english.grammar.stopWords);

/**
 * English words that belong to the form of a question rather than its subject. They are ignored if no passage contains
 * them and count like any other word if one does.
 */
export const GENERIC_QUESTION_WORDS: ReadonlySet<string> = uniteWords(({ grammar }) => grammar?.formWords);

const NONE: ReadonlySet<string> = new Set();
const SETS = new Map(
  languages
    .filter(({ code, grammar }) => code !== 'en' && grammar?.stopWords !== undefined)
    .map(({ code, grammar }) => [code, foldedSet(grammar?.stopWords ?? '')]),
);

/**
 * Returns the question words and most frequent function words of a language, folded: a passage that answers `wie lange`
 * contains neither word. Empty for languages without a list and for English, which has `STOP_WORDS`.
 */
export function questionStopWords(languageCode: string): ReadonlySet<string> {
  return SETS.get(languageCode) ?? NONE;
}

function foldedSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/u).flatMap((word) => [fold(word), foldCase(word)]));
}
