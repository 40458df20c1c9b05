import { isLatin, isUnspaced, splitFoldedWords, type TokenKind, termHash } from '../text/tokens.ts';
import type { WeighedQuestion, WeighedWord } from './weigh-question.ts';

/** A sentence, or the titles above a passage, with its words as numbers: what a question is compared with. */
export interface WordSequence {
  readonly text: string;
  /**
   * Two numbers a word, `termHash` of its English stem (0 for a stop word) and of the folded word itself; the words of
   * the whole passage, of which this run has those from `from` up to `to`.
   */
  readonly codes: Int32Array;
  readonly from: number;
  readonly to: number;
}

/** How a text holds the words of a question; one entry for each of the question's words, in its order. */
export interface WordMatch {
  /** 0 to 1: not at all, some of its grams, the word in any form. */
  readonly strength: readonly number[];
  /** The very same form. */
  readonly exact: readonly boolean[];
  /** Roughly which word of the text it is, -1 where it is absent. */
  readonly position: readonly number[];
}

type WordHit = { readonly [Part in keyof WordMatch]: WordMatch[Part][number][] };
/** Makes the finding when there is something to be found. */
type WordFinder = (run: WordSequence, finding: () => WordHit) => void;

interface PlacedWord {
  readonly word: WeighedWord;
  readonly index: number;
}

/** A word that was read as a misspelling of another counts a little less. */
const CORRECTED = 0.9;

/** Finds the words of one question in many texts. */
export function createWordMatcher({ words, tokens }: WeighedQuestion): (run: WordSequence) => WordMatch {
  const isStemmed = (word: WeighedWord) => tokens === 'stems' && isLatin(word.surface);
  const known = words.flatMap((word, index) => (word.known ? [{ word, index }] : []));
  const stemmed = known.filter(({ word }) => isStemmed(word));
  const searched = known.filter(({ word }) => !isStemmed(word));
  const findStems = stemFinder(stemmed);
  const findParts = partFinder(searched, tokens);
  const nothing = blank(words.length);
  return (run) => {
    let found: WordHit | undefined;
    const finding = () => {
      found ??= blank(words.length);
      return found;
    };
    if (stemmed.length > 0) findStems(run, finding);
    if (searched.length > 0) findParts(run, finding);
    return found ?? nothing;
  };
}

function blank(length: number): WordHit {
  return {
    strength: new Array<number>(length).fill(0),
    exact: new Array<boolean>(length).fill(false),
    position: new Array<number>(length).fill(-1),
  };
}

/** The lowest bits of the words that are looked for tell most others apart without a look-up. */
const LOW_BITS = 0xff;

function stemFinder(stemmed: readonly PlacedWord[]): WordFinder {
  const maybe = new Uint8Array(LOW_BITS + 1);
  const meant = new Map<
    number,
    { readonly index: number; readonly surface: number; readonly strength: number }[]
  >();
  for (const { word, index } of stemmed) {
    const stem = termHash(word.terms[0] ?? '');
    maybe[stem & LOW_BITS] = 1;
    const entry = { index, surface: termHash(word.surface), strength: word.corrected ? CORRECTED : 1 };
    meant.set(stem, [...(meant.get(stem) ?? []), entry]);
  }
  return ({ codes, from, to }, finding) => {
    for (let place = from; place < to; place += 1) {
      const stem = codes[2 * place] ?? 0;
      if (stem === 0 || maybe[stem & LOW_BITS] === 0) continue;
      for (const { index, surface, strength } of meant.get(stem) ?? []) {
        const found = finding();
        found.strength[index] = strength;
        found.position[index] = place - from;
        if (surface === codes[2 * place + 1]) found.exact[index] = true;
      }
    }
  };
}

function partFinder(searched: readonly PlacedWord[], tokens: TokenKind): WordFinder {
  return ({ text }, finding) => {
    const padded = ` ${splitFoldedWords(text, tokens).join(' ')} `;
    for (const { word, index } of searched) {
      const { strength, exact, position } = isUnspaced(word.surface)
        ? findUnspacedWord(word, padded)
        : findByGrams(word, padded);
      if (strength === 0) continue;
      const found = finding();
      found.strength[index] = strength;
      found.exact[index] = exact;
      found.position[index] = position;
    }
  };
}

/** How a text holds a word that is looked for by its parts. */
interface PartialMatch {
  /** 0 to 1. */
  readonly strength: number;
  readonly exact: boolean;
  /** Roughly which word of the text it is, -1 where it is absent or too little of it is there. */
  readonly position: number;
}

interface PartedWord {
  readonly surface: string;
  readonly terms: readonly string[];
}

/** A word of average length with its space: what turns a character position into a word position. */
const SPACED_LENGTH = 6;
const UNSPACED_LENGTH = 2;
/** A shorter word is found as a whole or not at all. */
const SHORTEST = 4;
/** From this share of its grams on, a word counts as standing where its first gram does. */
const PLACED = 0.6;
const ABSENT: PartialMatch = { strength: 0, exact: false, position: -1 };

/** Finds a word by its grams. `padded` is the text's words, each with a space before and after. */
function findByGrams({ surface, terms }: PartedWord, padded: string): PartialMatch {
  const whole = padded.indexOf(` ${surface} `);
  if (whole >= 0) return { strength: 1, exact: true, position: Math.trunc(whole / SPACED_LENGTH) };
  if (surface.length < SHORTEST) return ABSENT;
  let found = 0;
  let first = -1;
  for (const term of terms) {
    const place = padded.indexOf(term);
    if (place < 0) continue;
    found += 1;
    if (first < 0) first = place;
  }
  const share = found / terms.length;
  return {
    strength: share ** 2,
    exact: false,
    position: share > PLACED ? Math.trunc(first / SPACED_LENGTH) : -1,
  };
}

/** Finds a word of a script without spaces, as a whole or by its pairs of characters. */
function findUnspacedWord({ surface, terms }: PartedWord, padded: string): PartialMatch {
  const whole = padded.indexOf(surface);
  if (whole >= 0) return { strength: 1, exact: true, position: Math.trunc(whole / UNSPACED_LENGTH) };
  const share = terms.filter((term) => padded.includes(term)).length / terms.length;
  return { strength: share ** 2, exact: false, position: -1 };
}
