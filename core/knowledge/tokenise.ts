import { fold, foldCase } from './fold.ts';
import type { Language } from './language.ts';
import { splitWords } from './split-words.ts';
import { type Tokens, wordTokens } from './word-tokens.ts';

/** The tokens that a text of this language has in the index. */
export function tokensOf(language: Language): Tokens {
  if (language.class !== 'latin') return 'stems';
  return language.code === 'vi' ? 'syllables' : 'grams';
}

/** The words of a text as they are compared: folded, marks kept only where they tell words apart. */
export function foldedWords(text: string, tokens: Tokens): readonly string[] {
  return splitWords(tokens === 'syllables' ? foldCase(text) : fold(text));
}

/** All tokens of a text in reading order, with repeats. */
export function tokenise(text: string, tokens: Tokens): readonly string[] {
  return foldedWords(text, tokens).flatMap((word) => wordTokens(word, tokens));
}
