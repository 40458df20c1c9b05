import { random } from './random.ts';
import type { Page } from './read-pages.ts';

export interface CorpusChunk {
  /** Index of the page its sentences are from. */
  readonly page: number;
  readonly title: string;
  readonly body: string;
}

const bodyCharacters = 800;
/** Real texts have a long tail of names, numbers and typing errors, which makes an index as large as it is. */
const rareShare = 0.08;
const consonants = 'bdfgklmnprstvz';
const vowels = 'aeiou';
const rareSyllables = 3;

/** Returns sentences of one page in a new order, with a share of made-up words. `index` alone decides the result. */
export function makeChunk(pages: readonly Page[], index: number): CorpusChunk {
  const next = random(index);
  const page = Math.floor(next() * pages.length);
  const { title, sentences } = pages[page] ?? { title: '', sentences: [''] };
  let body = '';
  while (body.length < bodyCharacters - 50) body += `${pick(sentences, next)} `;
  const words = body
    .trim()
    .split(/\s+/)
    .map((word) => (next() < rareShare ? makeUp(word, next) : word));
  return { page, title: `${title} ${index}`, body: words.join(' ') };
}

/** It keeps the punctuation around the word, so that sentences still end. */
function makeUp(word: string, next: () => number): string {
  const syllables = Array.from(
    { length: rareSyllables },
    () => pick([...consonants], next) + pick([...vowels], next),
  );
  return word.replace(/[\p{L}\p{N}]+/u, syllables.join(''));
}

function pick(items: readonly string[], next: () => number): string {
  return items[Math.floor(next() * items.length)] ?? '';
}
