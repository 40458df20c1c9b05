import type { Candidate } from './candidate.ts';
import { editDistance } from './edit-distance.ts';
import { passageText } from './passage-text.ts';
import { foldedWords } from './tokenise.ts';
import type { WeighedQuestion, WeighedWord } from './weighed-question.ts';
import { stemTokens } from './word-tokens.ts';
import { STOP_WORDS } from './stop-words.ts';

/** Shorter words have too many neighbours to guess at. */
const SHORTEST = 4;
/** From here on two edits still leave little doubt. */
const LONG = 8;
const LETTERS = /^\p{L}+$/u;

/**
 * Reads words that no passage holds as the nearest word of the passages found for the rest of the question (and its
 * meaning). Nothing is stored for it: what is not among the candidates could not be ranked anyway.
 */
export function correctSpelling(question: WeighedQuestion, candidates: readonly Candidate[]): WeighedQuestion {
  if (question.tokens !== 'stems' || !question.words.some(isSuspect)) return question;
  const vocabulary = vocabularyOf(candidates);
  const words = question.words.flatMap((word) => (isSuspect(word) ? corrected(word, vocabulary) : word));
  return { ...question, words, weight: words.reduce((sum, word) => sum + word.weight, 0) };
}

function isSuspect(word: WeighedWord): boolean {
  return !word.known && word.surface.length >= SHORTEST && LETTERS.test(word.surface);
}

/** In how many candidates each word occurs; the small words that any text may hold come for nothing. */
function vocabularyOf(candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const vocabulary = new Map<string, number>();
  for (const word of STOP_WORDS) vocabulary.set(word, 0);
  for (const { title, headings, body } of candidates) {
    for (const word of new Set(foldedWords(passageText(title ?? '', headings, body), 'stems'))) {
      vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
    }
  }
  return vocabulary;
}

function corrected(word: WeighedWord, vocabulary: ReadonlyMap<string, number>): readonly WeighedWord[] {
  let best: string | null = null;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const [candidate, count] of vocabulary) {
    if (!mayBe(word.surface, candidate)) continue;
    const distance = editDistance(word.surface, candidate);
    const cost = distance - Math.min(count, 40) / 100;
    if (distance <= allowed(word.surface) && cost < bestCost) {
      best = candidate;
      bestCost = cost;
    }
  }
  if (best === null) return [word];
  const terms = stemTokens(best);
  if (terms.length === 0) return [];
  return [{ ...word, surface: best, terms, known: true, corrected: true }];
}

function mayBe(word: string, candidate: string): boolean {
  if (Math.abs(word.length - candidate.length) > allowed(word) || candidate.length < SHORTEST) return false;
  return word[0] === candidate[0] || word.at(-1) === candidate.at(-1);
}

function allowed(word: string): number {
  return word.length >= LONG ? 2 : 1;
}
