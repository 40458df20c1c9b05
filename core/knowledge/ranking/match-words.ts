import {
  isLatin,
  isUnspaced,
  splitFoldedWords,
  stemWord,
  type TokenKind,
  termHash,
} from '../../language/tokens.ts';
import { searchRules } from '../rules.ts';
import type { WeighedQuestion, WeighedWord } from './analyse-question.ts';

/** A sentence or the title path of a passage, with its words as hashes. Questions are matched against it. */
export interface WordSequence {
  readonly text: string;
  /**
   * Two numbers per word: `termHash` of its English stem (0 for a stop word) and of the folded word itself. The array is
   * shared by the whole passage; this sequence covers the words from `from` up to but excluding `to`.
   */
  readonly codes: Int32Array;
  readonly from: number;
  readonly to: number;
}

/** Hashes the words of related texts into one shared array. */
export function toWordSequences(texts: readonly string[]): readonly WordSequence[] {
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

/** The match of a question in a text: one entry for each word of the question, in its order. */
export interface WordMatch {
  /** 0 (absent) to 1 (the word in any form); between them, the squared share of its grams. */
  readonly strength: readonly number[];
  /** True if the text contains exactly the same form. */
  readonly exact: readonly boolean[];
  /** Approximate word index in the text, -1 if absent. */
  readonly position: readonly number[];
}

type WordHit = { readonly [Part in keyof WordMatch]: WordMatch[Part][number][] };
/** Records matches; `ensureHit` allocates the result on the first match. */
type WordFinder = (run: WordSequence, ensureHit: () => WordHit) => void;

interface PlacedWord {
  readonly word: WeighedWord;
  readonly index: number;
}

/** Returns a function that finds the words of one question in a text. */
export function createWordMatcher({ words, tokens }: WeighedQuestion): (run: WordSequence) => WordMatch {
  const isStemmed = (word: WeighedWord) => tokens === 'stems' && isLatin(word.surface);
  const known = words.flatMap((word, index) => (word.known ? [{ word, index }] : []));
  const stemmed = known.filter(({ word }) => isStemmed(word));
  const unstemmed = known.filter(({ word }) => !isStemmed(word));
  const findStems = stemFinder(stemmed);
  const findParts = partFinder(unstemmed, tokens);
  const emptyMatch = blank(words.length);
  return (run) => {
    let hit: WordHit | undefined;
    const ensureHit = () => {
      hit ??= blank(words.length);
      return hit;
    };
    if (stemmed.length > 0) findStems(run, ensureHit);
    if (unstemmed.length > 0) findParts(run, ensureHit);
    return hit ?? emptyMatch;
  };
}

function blank(length: number): WordHit {
  return {
    strength: new Array<number>(length).fill(0),
    exact: new Array<boolean>(length).fill(false),
    position: new Array<number>(length).fill(-1),
  };
}

/** Comparing the lowest bits of a hash rejects most words without a map look-up. */
const LOW_BITS = 0xff;

function stemFinder(stemmed: readonly PlacedWord[]): WordFinder {
  const lowBits = new Uint8Array(LOW_BITS + 1);
  const entriesByStem = new Map<number, { readonly index: number; readonly surface: number }[]>();
  for (const { word, index } of stemmed) {
    const stem = termHash(word.terms[0] ?? '');
    lowBits[stem & LOW_BITS] = 1;
    const entry = { index, surface: termHash(word.surface) };
    entriesByStem.set(stem, [...(entriesByStem.get(stem) ?? []), entry]);
  }
  return ({ codes, from, to }, ensureHit) => {
    for (let place = from; place < to; place += 1) {
      const stem = codes[2 * place] ?? 0;
      if (stem === 0 || lowBits[stem & LOW_BITS] === 0) continue;
      for (const { index, surface } of entriesByStem.get(stem) ?? []) {
        const hit = ensureHit();
        hit.strength[index] = 1;
        hit.position[index] = place - from;
        if (surface === codes[2 * place + 1]) hit.exact[index] = true;
      }
    }
  };
}

function partFinder(unstemmed: readonly PlacedWord[], tokens: TokenKind): WordFinder {
  return ({ text }, ensureHit) => {
    const padded = ` ${splitFoldedWords(text, tokens).join(' ')} `;
    for (const { word, index } of unstemmed) {
      const { strength, exact, position } = isUnspaced(word.surface)
        ? findUnspacedWord(word, padded)
        : findByGrams(word, padded);
      if (strength === 0) continue;
      const hit = ensureHit();
      hit.strength[index] = strength;
      hit.exact[index] = exact;
      hit.position[index] = position;
    }
  };
}

/** The match of one word that is searched by its grams. */
interface PartialMatch {
  /** 0 to 1. */
  readonly strength: number;
  readonly exact: boolean;
  /** Approximate word index in the text, -1 if the word is absent or too few of its grams occur. */
  readonly position: number;
}

interface SurfaceWord {
  readonly surface: string;
  readonly terms: readonly string[];
}

/** Average word length with its space: converts character positions to word positions. */
const SPACED_LENGTH = 6;
const UNSPACED_LENGTH = 2;
/** Shorter words match as a whole or not at all. */
const MIN_GRAM_WORD_LENGTH = 4;
const ABSENT: PartialMatch = { strength: 0, exact: false, position: -1 };

/** Finds a word by its grams. `padded` holds the words of the text, each with a space before and after. */
function findByGrams({ surface, terms }: SurfaceWord, padded: string): PartialMatch {
  const whole = padded.indexOf(` ${surface} `);
  if (whole >= 0) return { strength: 1, exact: true, position: Math.trunc(whole / SPACED_LENGTH) };
  if (surface.length < MIN_GRAM_WORD_LENGTH) return ABSENT;
  let count = 0;
  let first = -1;
  for (const term of terms) {
    const place = padded.indexOf(term);
    if (place < 0) continue;
    count += 1;
    if (first < 0) first = place;
  }
  const share = count / terms.length;
  return {
    strength: share ** 2,
    exact: false,
    position: share > searchRules.placedShare ? Math.trunc(first / SPACED_LENGTH) : -1,
  };
}

/** Finds a word of a script without spaces as a whole or by its character pairs. */
function findUnspacedWord({ surface, terms }: SurfaceWord, padded: string): PartialMatch {
  const whole = padded.indexOf(surface);
  if (whole >= 0) return { strength: 1, exact: true, position: Math.trunc(whole / UNSPACED_LENGTH) };
  const share = terms.filter((term) => padded.includes(term)).length / terms.length;
  return { strength: share ** 2, exact: false, position: -1 };
}
