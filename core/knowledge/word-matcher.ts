import { foldedWords } from './tokenise.ts';
import type { WeighedQuestion, WeighedWord } from './weighed-question.ts';
import { isLatin, isUnspaced, stemTokens } from './word-tokens.ts';

/** How a text holds the words of a question; one entry for each of the question's words, in its order. */
export interface WordMatch {
  /** 0 to 1: not at all, some of its grams, the word in any form. */
  readonly strength: readonly number[];
  /** The very same form. */
  readonly exact: readonly boolean[];
  /** Roughly which word of the text it is, -1 where it is absent. */
  readonly position: readonly number[];
}

type Finding = { -readonly [Part in keyof WordMatch]: WordMatch[Part][number][] };

/** A word that was read as a misspelling of another counts a little less. */
const CORRECTED = 0.9;
/** A word of average length with its space: what turns a character position into a word position. */
const SPACED_LENGTH = 6;
const UNSPACED_LENGTH = 2;
const SHORTEST_GRAM = 4;
/** From this share of its grams on, a word counts as standing where its first gram does. */
const PLACED = 0.6;
const NONE: readonly number[] = [];

/** Finds the words of one question in many texts. */
export function wordMatcher(question: WeighedQuestion): (text: string) => WordMatch {
  const { words, tokens } = question;
  const isStemmed = (word: WeighedWord) => tokens === 'stems' && isLatin(word.surface);
  const stemmed = words.flatMap((word, index) => (word.known && isStemmed(word) ? [index] : []));
  const searched = words.flatMap((word, index) => (word.known && !isStemmed(word) ? [index] : []));
  const meaning = new Map<string, readonly number[]>();

  function meant(textWord: string): readonly number[] {
    let found = meaning.get(textWord);
    if (found === undefined) {
      const stem = stemTokens(textWord)[0];
      found = stem === undefined ? NONE : stemmed.filter((index) => words[index]?.terms[0] === stem);
      meaning.set(textWord, found.length === 0 ? NONE : found);
    }
    return found;
  }

  return (text) => {
    const finding: Finding = {
      strength: new Array<number>(words.length).fill(0),
      exact: new Array<boolean>(words.length).fill(false),
      position: new Array<number>(words.length).fill(-1),
    };
    const textWords = foldedWords(text, tokens);
    if (stemmed.length > 0) findStems(textWords, words, meant, finding);
    if (searched.length > 0) findParts(` ${textWords.join(' ')} `, words, searched, finding);
    return finding;
  };
}

function findStems(textWords: readonly string[], words: readonly WeighedWord[], meant: (word: string) => readonly number[], finding: Finding): void {
  for (let place = 0; place < textWords.length; place += 1) {
    const textWord = textWords[place] ?? '';
    for (const index of meant(textWord)) {
      finding.strength[index] = words[index]?.corrected ? CORRECTED : 1;
      if (words[index]?.surface === textWord) finding.exact[index] = true;
      finding.position[index] = place;
    }
  }
}

function findParts(padded: string, words: readonly WeighedWord[], searched: readonly number[], finding: Finding): void {
  for (const index of searched) {
    const word = words[index];
    if (word !== undefined) {
      const found = isUnspaced(word.surface) ? findRun(word, padded) : findGrams(word, padded);
      finding.strength[index] = found.strength;
      finding.exact[index] = found.exact;
      finding.position[index] = found.position;
    }
  }
}

interface Found {
  readonly strength: number;
  readonly exact: boolean;
  readonly position: number;
}
const ABSENT: Found = { strength: 0, exact: false, position: -1 };

function findGrams({ surface, terms }: WeighedWord, padded: string): Found {
  const whole = padded.indexOf(` ${surface} `);
  if (whole >= 0) return { strength: 1, exact: true, position: Math.trunc(whole / SPACED_LENGTH) };
  if (surface.length < SHORTEST_GRAM) return ABSENT;
  const places = terms.map((term) => padded.indexOf(term)).filter((place) => place >= 0);
  const share = places.length / terms.length;
  const position = share > PLACED ? Math.trunc((places[0] ?? -1) / SPACED_LENGTH) : -1;
  return { strength: share ** 2, exact: false, position };
}

function findRun({ surface, terms }: WeighedWord, padded: string): Found {
  const whole = padded.indexOf(surface);
  if (whole >= 0) return { strength: 1, exact: true, position: Math.trunc(whole / UNSPACED_LENGTH) };
  const share = terms.filter((term) => padded.includes(term)).length / terms.length;
  return { strength: share ** 2, exact: false, position: -1 };
}
