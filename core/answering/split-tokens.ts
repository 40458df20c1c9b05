import { isUnspaced } from '../knowledge/word-tokens.ts';

const WORD = /^\s+|\S+\s*/gu;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** A text in pieces of about a word, in any script; joined they are the text. */
export function splitTokens(text: string): readonly string[] {
  const words = text.match(WORD) ?? [];
  return words.flatMap((word) =>
    isUnspaced(word) ? Array.from(segmenter.segment(word), ({ segment }) => segment) : word,
  );
}
