import { LRUCache } from 'lru-cache';
import type { Candidate } from '../passage.ts';
import { splitSentences } from '../text/sentences.ts';
import { splitFoldedWords, stemWord, termHash } from '../text/tokens.ts';
import type { WordMatch, WordSequence } from './match-words.ts';
import type { WeighedQuestion } from './weigh-question.ts';

/** Lexical evidence for a passage, each from 0 to 1, with words weighted by rarity. */
interface PassageEvidence {
  /** Share of the question in the best sentence; title and headings count with every sentence. */
  readonly coverage: number;
  /** Share of the question that the passage contains in exactly the same word form. */
  readonly exact: number;
  /** Share of the question's neighbouring word pairs that are also close together in the passage. */
  readonly pairs: number;
}

/** Largest distance in words at which a pair of neighbouring question words still counts. */
const MAX_PAIR_DISTANCE = 3;
const LOOSE_PAIR_CLOSENESS = 0.7;

export function measureEvidence(
  question: WeighedQuestion,
  passage: Candidate,
  match: (run: WordSequence) => WordMatch,
): PassageEvidence {
  const path = match(passagePath(passage));
  const sentences = passageSentences(passage).map(match);
  let coverage = questionCoverage(question, path, path);
  for (const sentence of sentences) coverage = Math.max(coverage, questionCoverage(question, sentence, path));
  const all = [path, ...sentences];
  return { coverage, exact: exactShare(question, all), pairs: pairShare(question, all) ?? coverage };
}

/** Returns the share of the question in one sentence together with its title and headings, 0 to 1. */
export function questionCoverage(
  { words, weight }: WeighedQuestion,
  sentence: WordMatch,
  path: WordMatch,
): number {
  if (weight === 0) return 0;
  let sum = 0;
  for (const [index, word] of words.entries()) {
    sum += word.weight * Math.max(sentence.strength[index] ?? 0, path.strength[index] ?? 0);
  }
  return sum / weight;
}

function exactShare({ words, weight }: WeighedQuestion, matches: readonly WordMatch[]): number {
  if (weight === 0) return 0;
  let sum = 0;
  for (const [index, word] of words.entries()) {
    if (matches.some((match) => match.exact[index])) sum += word.weight;
  }
  return sum / weight;
}

/** Returns null if the question has fewer than two words with weight. */
function pairShare({ words }: WeighedQuestion, matches: readonly WordMatch[]): number | null {
  let matched = 0;
  let total = 0;
  for (let index = 0; index + 1 < words.length; index += 1) {
    const weight = Math.min(words[index]?.weight ?? 0, words[index + 1]?.weight ?? 0);
    let closest = 0;
    for (const match of matches) closest = Math.max(closest, closeness(match, index));
    total += weight;
    matched += weight * closest;
  }
  return total === 0 ? null : matched / total;
}

function closeness({ position }: WordMatch, index: number): number {
  const one = position[index] ?? -1;
  const next = position[index + 1] ?? -1;
  if (one < 0 || next < 0) return 0;
  const distance = next - one;
  if (distance === 0 || distance === 1) return 1;
  return Math.abs(distance) <= MAX_PAIR_DISTANCE ? LOOSE_PAIR_CLOSENESS : 0;
}

/** Many questions find the same passages, and splitting and folding a passage costs more than matching it. */
const MAX_CACHED_CHARACTERS = 8_000_000;
/** Cost of a cache entry besides its text, in characters. */
const ENTRY_OVERHEAD = 500;

const createCache = () =>
  new LRUCache<string, readonly WordSequence[]>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_, text) => text.length + ENTRY_OVERHEAD,
  });
const sentenceCache = createCache();
const pathCache = createCache();

/** Returns the sentences of a passage in order. */
export function passageSentences({ body }: { readonly body: string }): readonly WordSequence[] {
  const cached = sentenceCache.get(body);
  if (cached !== undefined) return cached;
  const sentences = toWordSequences(splitSentences(body));
  sentenceCache.set(body, sentences);
  return sentences;
}

/** Returns the title and headings above a passage as one sequence. */
export function passagePath(passage: {
  readonly title: string | null;
  readonly headings: readonly string[];
}): WordSequence {
  const text = [passage.title ?? '', ...passage.headings].join(' . ');
  const [path] = pathCache.get(text) ?? toWordSequences([text]);
  if (path === undefined) return { text, codes: new Int32Array(), from: 0, to: 0 };
  pathCache.set(text, [path]);
  return path;
}

/** Hashes the words of related texts into one shared array. */
function toWordSequences(texts: readonly string[]): readonly WordSequence[] {
  const words = texts.map((text) => splitFoldedWords(text, 'stems'));
  const codes = new Int32Array(2 * words.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  return texts.map((text, index) => {
    const from = place;
    for (const word of words[index] ?? []) {
      const [stem] = stemWord(word);
      codes[2 * place] = stem === undefined ? 0 : termHash(stem);
      codes[2 * place + 1] = termHash(word);
      place += 1;
    }
    return { text, codes, from, to: place };
  });
}
