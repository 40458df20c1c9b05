import { termHash } from './term-hash.ts';
import { foldedWords } from './tokenise.ts';
import type { WordRun } from './word-run.ts';
import { stemTokens } from './word-tokens.ts';

/** The words of some texts that belong together. */
export function readWords(texts: readonly string[]): readonly WordRun[] {
  const words = texts.map((text) => foldedWords(text, 'stems'));
  const codes = new Int32Array(2 * words.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  return texts.map((text, index) => {
    const from = place;
    for (const word of words[index] ?? []) {
      const [stem] = stemTokens(word);
      codes[2 * place] = stem === undefined ? 0 : termHash(stem);
      codes[2 * place + 1] = termHash(word);
      place += 1;
    }
    return { text, codes, from, to: place };
  });
}
