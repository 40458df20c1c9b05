import { STOP_WORDS } from '../../language/stop-words.ts';
import { splitFoldedWords, stemWord } from '../../language/tokens.ts';
import { type Candidate, indexedText } from '../passage.ts';
import type { WeighedQuestion, WeighedWord } from './analyse-question.ts';

/** Shorter words have too many neighbours for a safe correction. */
const MIN_LENGTH = 4;
/** From this length on, a correction by two edits is still safe. */
const TWO_EDIT_LENGTH = 8;
/** Between equally near words the one in more candidates wins; counts above this are equal. */
const MAX_COUNTED = 40;
const LETTERS = /^\p{L}+$/u;

/**
 * Replaces words that occur in no passage by the nearest word among the candidates, which were found by the other words
 * and the vector. It needs no stored vocabulary: words outside the candidates cannot affect the ranking.
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
  const uncorrectedWeight = totalWeight(words.filter((word) => !word.corrected));
  // Candidates have no BM25 for corrected words, so the ideal shrinks to the share of the uncorrected ones.
  const idealBm25 = question.weight === 0 ? 0 : (question.idealBm25 * uncorrectedWeight) / question.weight;
  return { ...question, words, weight: totalWeight(words), idealBm25 };
}

function isUnknownWord(word: WeighedWord): boolean {
  return !word.known && word.surface.length >= MIN_LENGTH && LETTERS.test(word.surface);
}

/** Counts the candidates that contain each word. Stop words are included with a count of 0. */
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

/** Returns the corrected word, the word itself if no word is near, or an empty list for a misspelt stop word. */
function correctWord(word: WeighedWord, vocabulary: ReadonlyMap<string, number>): readonly WeighedWord[] {
  const best = nearestWord(word.surface, vocabulary);
  if (best === null) return [word];
  const terms = stemWord(best);
  return terms.length === 0 ? [] : [{ ...word, surface: best, terms, known: true, corrected: true }];
}

function nearestWord(word: string, vocabulary: ReadonlyMap<string, number>): string | null {
  let best: string | null = null;
  let lowestCost = Number.POSITIVE_INFINITY;
  for (const [candidate, count] of vocabulary) {
    if (!isPlausibleCorrection(word, candidate)) continue;
    const distance = editDistance(word, candidate);
    const cost = distance - Math.min(count, MAX_COUNTED) / (2 * MAX_COUNTED);
    if (distance <= maxEditDistance(word) && cost < lowestCost) {
      best = candidate;
      lowestCost = cost;
    }
  }
  return best;
}

/** Typing errors rarely affect the first letter, so candidates must share it. */
function isPlausibleCorrection(word: string, candidate: string): boolean {
  if (Math.abs(word.length - candidate.length) > maxEditDistance(word) || candidate.length < MIN_LENGTH)
    return false;
  return word[0] === candidate[0];
}

function maxEditDistance(word: string): number {
  return word.length >= TWO_EDIT_LENGTH ? 2 : 1;
}

function totalWeight(words: readonly WeighedWord[]): number {
  return words.reduce((sum, word) => sum + word.weight, 0);
}

/** Returns the number of insertions, deletions, replacements and swaps of neighbours between two words. */
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
