import { LRUCache } from 'lru-cache';
import { readWords } from './read-words.ts';
import { splitSentences } from './split-sentences.ts';
import type { WordRun } from './word-run.ts';

/** Many questions find the same passages, and to split and fold one costs more than all that is done with it then. */
const rememberedCharacters = 8_000_000;
/** What an entry weighs beside its text. */
const overhead = 500;

const remember = () =>
  new LRUCache<string, readonly WordRun[]>({
    maxSize: rememberedCharacters,
    sizeCalculation: (_, text) => text.length + overhead,
  });
const bodies = remember();
const paths = remember();

/** The sentences of a passage, in order. */
export function sentencesOf({ body }: { readonly body: string }): readonly WordRun[] {
  const known = bodies.get(body);
  if (known !== undefined) return known;
  const sentences = readWords(splitSentences(body));
  bodies.set(body, sentences);
  return sentences;
}

/** The title and the headings above a passage, as one. */
export function pathOf(passage: {
  readonly title: string | null;
  readonly headings: readonly string[];
}): WordRun {
  const text = [passage.title ?? '', ...passage.headings].join(' . ');
  const [path] = paths.get(text) ?? readWords([text]);
  if (path === undefined) return { text, codes: new Int32Array(), from: 0, to: 0 };
  paths.set(text, [path]);
  return path;
}
