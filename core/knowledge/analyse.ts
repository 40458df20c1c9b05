import { questionLanguage } from './question-language.ts';
import { tokenise, tokensOf } from './tokenise.ts';

/** Stored with the index: another version means that the chunks have to be analysed again. */
export const ANALYSER_VERSION = 1;

/** The index tokens of a passage, with repeats, in reading order. Deterministic, for any language. */
export function analyse(text: string): readonly string[] {
  return tokenise(text, tokensOf(questionLanguage(text)));
}
