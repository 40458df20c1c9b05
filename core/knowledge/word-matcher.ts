import { findGrams, findRun } from './find-parts.ts';
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

type Finding = { readonly [Part in keyof WordMatch]: WordMatch[Part][number][] };
type Finder = (textWords: readonly string[], finding: Finding) => void;

/** A word that was read as a misspelling of another counts a little less. */
const CORRECTED = 0.9;
const NONE: readonly number[] = [];

/** Finds the words of one question in many texts. */
export function wordMatcher({ words, tokens }: WeighedQuestion): (text: string) => WordMatch {
  const isStemmed = (word: WeighedWord) => tokens === 'stems' && isLatin(word.surface);
  const known = words.flatMap((word, index) => (word.known ? [{ word, index }] : []));
  const stemmed = known.filter(({ word }) => isStemmed(word));
  const searched = known.filter(({ word }) => !isStemmed(word));
  const findStems = stemFinder(words, stemmed);
  const findParts = partFinder(searched);
  return (text) => {
    const finding: Finding = {
      strength: new Array<number>(words.length).fill(0),
      exact: new Array<boolean>(words.length).fill(false),
      position: new Array<number>(words.length).fill(-1),
    };
    const textWords = foldedWords(text, tokens);
    if (stemmed.length > 0) findStems(textWords, finding);
    if (searched.length > 0) findParts(textWords, finding);
    return finding;
  };
}

interface Placed {
  readonly word: WeighedWord;
  readonly index: number;
}

function stemFinder(words: readonly WeighedWord[], stemmed: readonly Placed[]): Finder {
  const meanings = new Map<string, readonly number[]>();
  const meaningOf = (textWord: string): readonly number[] => {
    let meaning = meanings.get(textWord);
    if (meaning === undefined) {
      const [stem] = stemTokens(textWord);
      const meant = stem === undefined ? [] : stemmed.filter(({ word }) => word.terms[0] === stem);
      meaning = meant.length === 0 ? NONE : meant.map(({ index }) => index);
      meanings.set(textWord, meaning);
    }
    return meaning;
  };
  return (textWords, finding) => {
    for (let place = 0; place < textWords.length; place += 1) {
      const textWord = textWords[place] ?? '';
      for (const index of meaningOf(textWord)) {
        finding.strength[index] = words[index]?.corrected ? CORRECTED : 1;
        finding.position[index] = place;
        if (words[index]?.surface === textWord) finding.exact[index] = true;
      }
    }
  };
}

function partFinder(searched: readonly Placed[]): Finder {
  return (textWords, finding) => {
    const padded = ` ${textWords.join(' ')} `;
    for (const { word, index } of searched) {
      const found = isUnspaced(word.surface) ? findRun(word, padded) : findGrams(word, padded);
      finding.strength[index] = found.strength;
      finding.exact[index] = found.exact;
      finding.position[index] = found.position;
    }
  };
}
