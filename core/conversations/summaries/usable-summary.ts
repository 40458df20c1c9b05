import { wholeWithin } from '../../answering/prompts/whole-within.ts';
import { wordKeys } from '../../answering/writing/word-keys.ts';
import { splitSentences } from '../../knowledge/split-sentences.ts';
import { storable } from '../../storable.ts';

/** Twice what a model is asked for: it is in every prompt from then on. */
const LONGEST_TOKENS = 500;

/**
 * A model's summary as far as it may be remembered: without sentences that hold a number or code that nobody said, and
 * as many as fit. Empty where nothing is left.
 */
export function usableSummary(written: string, said: readonly string[]): string {
  const known = new Set(wordKeys(said.join('\n')).map(({ hash }) => hash));
  const sentences = splitSentences(storable(written)).filter((sentence) =>
    wordKeys(sentence).every(({ exact, hash }) => !exact || known.has(hash)),
  );
  return wholeWithin(sentences, LONGEST_TOKENS, (sentence) => `${sentence} `).join(' ');
}
