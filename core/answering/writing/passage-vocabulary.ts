import { LRUCache } from 'lru-cache';
import type { WriterPassage } from '../../contract/answer-writer.ts';
import { wordKeys } from './word-keys.ts';

/** A few kilobytes each; many questions find the same passages. */
const REMEMBERED = 2_000;
const vocabularies = new LRUCache<string, ReadonlySet<number>>({ max: REMEMBERED });

/** The hashes of all words of a passage, with the titles above it. */
export function passageVocabulary({ title, headings, text }: WriterPassage): ReadonlySet<number> {
  const whole = [title, ...headings, text].join('\n');
  let vocabulary = vocabularies.get(whole);
  if (vocabulary === undefined) {
    vocabulary = new Set(wordKeys(whole).map(({ hash }) => hash));
    vocabularies.set(whole, vocabulary);
  }
  return vocabulary;
}
