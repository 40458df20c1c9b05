import { joinAlternatives } from '../../language/find-language.ts';
import { detectLanguage, type Language } from '../../language/language.ts';
import { GENERIC_QUESTION_WORDS, questionStopWords } from '../../language/stop-words.ts';
import {
  characterGrams,
  isUnspaced,
  segmentWord,
  splitFoldedWords,
  type TokenKind,
  termHash,
  tokenise,
  tokeniseWord,
  tokenKindFor,
} from '../../language/tokens.ts';
import type { CorpusStatistics } from '../passage.ts';
import { searchRules } from '../rules.ts';

/** A word of the question with its tokens in the index. */
interface QuestionWord {
  readonly surface: string;
  /** Distinct, at least one. */
  readonly terms: readonly string[];
  /** `termHash` of each of `terms`, same order. */
  readonly hashes: readonly number[];
}

/** The question tokenised as documents of one token kind are. */
interface QuestionReading {
  readonly tokens: TokenKind;
  /** Distinct words that carry meaning, in the order of the question. */
  readonly words: readonly QuestionWord[];
}

/** A question as the search needs it, analysed once and used by every step. */
export interface AnalysedQuestion {
  readonly text: string;
  readonly language: Language;
  /** Distinct tokens to look up in the index. */
  readonly terms: readonly string[];
  /** `termHash` of each of `terms`, same order. */
  readonly hashes: readonly number[];
  /** Most likely first; several if the documents may be in another language or the text is too short for detection. */
  readonly readings: readonly QuestionReading[];
}

/** `How long` asks for a time: a passage that answers it contains neither word. */
const DEGREE = new RegExp(`\\b(?:${joinAlternatives(({ grammar }) => grammar?.degrees)})\\b`, 'giu');
/** Endings and particles in Japanese; the subject is written in other characters. */
const KANA = /^\p{Script=Hiragana}+$/u;
/** A word with a capital inside the sentence or with a digit: probably a name, which is the same in other languages. */
const NAME =
  /(?=\p{Lu})(?<=[\p{L}\p{N},;:'’)]\s+["'“(]?)\p{Lu}[\p{L}\p{N}]{2,}|(?<![\p{L}\p{N}])[\p{L}\p{N}]*(?:\p{L}\p{N}|\p{N}\p{L}|\p{Ll}\p{Lu})[\p{L}\p{N}]*/gu;

/** Analyses a question for the search. `hashes` are the terms to look up in the index. */
export function analyseQuestion(text: string): AnalysedQuestion {
  const language = detectLanguage(text);
  const kinds = listTokenKinds(text, language);
  const terms = [
    ...new Set([...kinds.flatMap((tokens) => tokenise(text, tokens)), ...nameTokens(text, kinds)]),
  ];
  const readings = kinds.map((tokens) => buildReading(text, tokens, language));
  return { text, language, terms, hashes: terms.map(termHash), readings };
}

function listTokenKinds(text: string, language: Language): readonly TokenKind[] {
  const natural = tokenKindFor(language);
  if (natural === 'grams') return ['grams', 'stems'];
  if (natural === 'syllables') return ['syllables', 'stems'];
  const unsure = language.class === 'english' && text.trim().split(/\s+/u).length <= searchRules.fewWords;
  return unsure ? ['stems', 'grams'] : ['stems'];
}

function nameTokens(text: string, kinds: readonly TokenKind[]): readonly string[] {
  if (kinds.length > 1) return [];
  return (text.match(NAME) ?? []).flatMap((name) => tokenise(name, 'grams'));
}

function buildReading(text: string, tokens: TokenKind, language: Language): QuestionReading {
  const withoutDegree = tokens === 'stems' ? text.replace(DEGREE, ' ') : text;
  const all = distinct(
    splitFoldedWords(withoutDegree, tokens).flatMap((word) => buildQuestionWord(word, tokens)),
  );
  const stopWords = questionStopWords(language.code);
  const contentWords = all.filter(({ surface }) => !stopWords.has(surface) && !KANA.test(surface));
  return { tokens, words: contentWords.length === 0 ? all : contentWords };
}

function buildQuestionWord(word: string, tokens: TokenKind): readonly QuestionWord[] {
  if (isUnspaced(word)) {
    return segmentWord(word).map((surface) => withTerms(surface, [surface, ...characterGrams(surface, 2)]));
  }
  const terms = tokeniseWord(word, tokens);
  return terms.length === 0 ? [] : [withTerms(word, terms)];
}

function withTerms(surface: string, tokens: readonly string[]): QuestionWord {
  const terms = [...new Set(tokens)];
  return { surface, terms, hashes: terms.map(termHash) };
}

function distinct(words: readonly QuestionWord[]): readonly QuestionWord[] {
  return [...new Map(words.map((word) => [word.surface, word])).values()];
}

const K1 = 1.2;
/** A word in no passage weighs like a word in one: in a small scope it would outweigh all other words. */
const MIN_FREQUENCY = 1;

export interface WeighedWord extends QuestionWord {
  /** How well the word separates passages, from its rarity; 0 if every passage contains it. */
  readonly weight: number;
  /** True if any passage of the scope contains the word. */
  readonly known: boolean;
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
  return {
    ...word,
    known,
    weight: total / word.hashes.length ** searchRules.lengthDamping,
  };
}

function knownWeightShare({ words, weight }: WeighedQuestion): number {
  return weight === 0 ? 0 : sumWeights(words.filter((word) => word.known)) / weight;
}

function sumWeights(words: readonly WeighedWord[]): number {
  return words.reduce((sum, word) => sum + word.weight, 0);
}
