import type { Language } from './language.ts';
import type { Tokens } from './word-tokens.ts';

/** A word of the question with the tokens that stand for it in the index. */
export interface QuestionWord {
  readonly surface: string;
  /** Distinct, at least one. */
  readonly terms: readonly string[];
  /** `termHash` of each of `terms`, same order. */
  readonly hashes: readonly number[];
}

/** The question as documents of one kind would have it in the index. */
export interface Reading {
  readonly tokens: Tokens;
  /** Distinct words that carry meaning, in the order of the question. */
  readonly words: readonly QuestionWord[];
}

/** A question as the search needs it: analysed once, used by every step. */
export interface AnalysedQuestion {
  readonly text: string;
  readonly language: Language;
  /** Distinct tokens to look up in the index. */
  readonly terms: readonly string[];
  /** `termHash` of each of `terms`, same order. */
  readonly hashes: readonly number[];
  /** Likeliest first; more than one where the documents may be in another language, or the text is too short to tell. */
  readonly readings: readonly Reading[];
}
