import type { FactToken } from './fact-tokens.ts';
import type { SubjectWords } from './fact-words.ts';

interface Polarity {
  readonly isSo: boolean;
  /** The word that decides it, as it is written. */
  readonly text: string;
}

/** Longer sentences say more than one thing. */
const MAX_WORDS = 25;

/**
 * Returns whether a sentence says that something is so or that it is not. Null for a question, for a sentence that may
 * say both, and for one that says neither.
 */
export function readPolarity(tokens: readonly FactToken[], words: SubjectWords): Polarity | null {
  const { opposites, assertions, contrasts } = words;
  const folded = tokens.filter(({ kind }) => kind === 'word').map((token) => token.folded);
  if (folded.length === 0 || folded.length > MAX_WORDS || tokens.at(-1)?.raw === '?') return null;
  if (folded.some((word) => contrasts.has(word))) return null;
  let isSo = true;
  let text: string | null = null;
  for (const [at, token] of tokens.entries()) {
    if (isNegation(tokens, at, words) || opposites.has(token.folded)) {
      isSo = !isSo;
      text ??= token.raw;
    }
  }
  const asserted = tokens.find(({ folded: word }) => assertions.has(word));
  const decisive = text ?? asserted?.raw;
  return decisive === undefined ? null : { isSo, text: decisive };
}

/** Whether a word negates what follows. `No later than` does not. */
export function isNegation(
  tokens: readonly FactToken[],
  at: number,
  { negations, bounds }: SubjectWords,
): boolean {
  const word = tokens[at]?.folded ?? '';
  return (negations.has(word) || word.endsWith("n't")) && !bounds.has(tokens[at + 1]?.folded ?? '');
}
