import type { CorpusStatistics } from '../passage.ts';
import { GENERIC_QUESTION_WORDS } from '../text/stop-words.ts';
import type { TokenKind } from '../text/tokens.ts';
import type { AnalysedQuestion, QuestionReading, QuestionWord } from './analyse-question.ts';

const K1 = 1.2;
/** Long words have many tokens and carry more meaning than short ones, but not in proportion. */
const LENGTH_DAMPING = 0.75;
/** A word in no passage weighs like a word in one: in a small scope it would outweigh all other words. */
const MIN_FREQUENCY = 1;

export interface WeighedWord extends QuestionWord {
  /** How well the word separates passages, from its rarity; 0 if every passage contains it. */
  readonly weight: number;
  /** True if any passage of the scope contains the word. */
  readonly known: boolean;
  /** True if the word replaces a misspelt one. */
  readonly corrected: boolean;
}

/** The reading of a question that fits the searched documents, with the weight of each word in them. */
export interface WeighedQuestion {
  readonly tokens: TokenKind;
  readonly words: readonly WeighedWord[];
  /** Sum of the words' weights. */
  readonly weight: number;
  /** Upper bound of BM25: the score of a passage in which every term is saturated. */
  readonly idealBm25: number;
}

/** Weighs the question's words by the searched scope and selects the reading that occurs most in its documents. */
export function weighQuestion(question: AnalysedQuestion, statistics: CorpusStatistics): WeighedQuestion {
  const weighed = question.readings.map((reading) => weighReading(reading, statistics));
  return weighed.reduce((one, other) => (knownWeightShare(other) > knownWeightShare(one) ? other : one));
}

function inverseFrequency(hash: number, statistics: CorpusStatistics): number {
  const frequency = Math.max(MIN_FREQUENCY, statistics.documentFrequency.get(hash) ?? 0);
  return Math.log(1 + (statistics.chunks - frequency + 0.5) / (frequency + 0.5));
}

function weighReading(reading: QuestionReading, statistics: CorpusStatistics): WeighedQuestion {
  const words = reading.words
    .map((word) => weighWord(word, statistics))
    .filter((word) => word.known || !GENERIC_QUESTION_WORDS.has(word.surface));
  const hashes = new Set(words.flatMap((word) => word.hashes));
  let idealBm25 = 0;
  for (const hash of hashes) idealBm25 += inverseFrequency(hash, statistics) * (K1 + 1);
  return { tokens: reading.tokens, words, weight: sumWeights(words), idealBm25 };
}

function weighWord(word: QuestionWord, statistics: CorpusStatistics): WeighedWord {
  let total = 0;
  let known = false;
  for (const hash of word.hashes) {
    total += inverseFrequency(hash, statistics);
    known ||= statistics.documentFrequency.has(hash);
  }
  return { ...word, known, corrected: false, weight: total / word.hashes.length ** LENGTH_DAMPING };
}

function knownWeightShare({ words, weight }: WeighedQuestion): number {
  return weight === 0 ? 0 : sumWeights(words.filter((word) => word.known)) / weight;
}

function sumWeights(words: readonly WeighedWord[]): number {
  return words.reduce((sum, word) => sum + word.weight, 0);
}
