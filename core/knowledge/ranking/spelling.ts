import { type Candidate, indexedText } from '../passage.ts';
import { STOP_WORDS } from '../text/stop-words.ts';
import { splitFoldedWords, stemWord } from '../text/tokens.ts';
import type { WeighedQuestion, WeighedWord } from './weigh-question.ts';

/** Shorter words have too many neighbours to guess at. */
const SHORTEST = 4;
/** From here on two edits still leave little doubt. */
const LONG = 8;
/** Of two words equally near, the one in more candidates; from here on they count alike. */
const MOST_COUNTED = 40;
const LETTERS = /^\p{L}+$/u;

/**
 * Reads words that no passage holds as the nearest word of the passages found for the rest of the question (and its
 * meaning). Nothing is stored for it: what is not among the candidates could not be ranked anyway.
 */
export function correctSpelling(
  question: WeighedQuestion,
  candidates: readonly Candidate[],
): WeighedQuestion {
  if (question.tokens !== 'stems' || !question.words.some(isUnknownWord)) return question;
  const vocabulary = countCandidateWords(candidates);
  const words = question.words.flatMap((word) =>
    isUnknownWord(word) ? correctWord(word, vocabulary) : word,
  );
  const asWritten = totalWeight(words.filter((word) => !word.corrected));
  // No BM25 was counted for the words that were corrected: the rest is measured against the best that it could reach.
  const idealBm25 = question.weight === 0 ? 0 : (question.idealBm25 * asWritten) / question.weight;
  return { ...question, words, weight: totalWeight(words), idealBm25 };
}

function isUnknownWord(word: WeighedWord): boolean {
  return !word.known && word.surface.length >= SHORTEST && LETTERS.test(word.surface);
}

/** In how many candidates each word occurs; the small words that any text may hold come for nothing. */
function countCandidateWords(candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const vocabulary = new Map<string, number>();
  for (const word of STOP_WORDS) vocabulary.set(word, 0);
  for (const { title, headings, body } of candidates) {
    for (const word of new Set(splitFoldedWords(indexedText(title ?? '', headings, body), 'stems'))) {
      vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
    }
  }
  return vocabulary;
}

/** The word as it was meant, the word itself where nothing is near, nothing where it was meant for a stop word. */
function correctWord(word: WeighedWord, vocabulary: ReadonlyMap<string, number>): readonly WeighedWord[] {
  const best = nearestWord(word.surface, vocabulary);
  if (best === null) return [word];
  const terms = stemWord(best);
  return terms.length === 0 ? [] : [{ ...word, surface: best, terms, known: true, corrected: true }];
}

function nearestWord(word: string, vocabulary: ReadonlyMap<string, number>): string | null {
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [candidate, count] of vocabulary) {
    if (!isPlausibleCorrection(word, candidate)) continue;
    const distance = editDistance(word, candidate);
    const cost = distance - Math.min(count, MOST_COUNTED) / (2 * MOST_COUNTED);
    if (distance <= maxEditDistance(word) && cost < least) {
      best = candidate;
      least = cost;
    }
  }
  return best;
}

/** Typing errors seldom hit the first letter, and other words often begin with another one. */
function isPlausibleCorrection(word: string, candidate: string): boolean {
  if (Math.abs(word.length - candidate.length) > maxEditDistance(word) || candidate.length < SHORTEST)
    return false;
  return word[0] === candidate[0];
}

function maxEditDistance(word: string): number {
  return word.length >= LONG ? 2 : 1;
}

function totalWeight(words: readonly WeighedWord[]): number {
  return words.reduce((sum, word) => sum + word.weight, 0);
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
export function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1;
      let distance = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + cost);
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        distance = Math.min(distance, at(beforeLast, column - 2) + 1);
      }
      current.push(distance);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, other.length);
}

function at(distances: readonly number[], index: number): number {
  return distances[index] ?? 0;
}
