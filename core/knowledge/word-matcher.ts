import { findGrams, findRun } from './find-parts.ts';
import { termHash } from './term-hash.ts';
import { foldedWords } from './tokenise.ts';
import type { WeighedQuestion, WeighedWord } from './weighed-question.ts';
import type { WordMatch } from './word-match.ts';
import type { WordRun } from './word-run.ts';
import type { Tokens } from './word-tokens.ts';
import { isLatin, isUnspaced } from './word-tokens.ts';

type Finding = { readonly [Part in keyof WordMatch]: WordMatch[Part][number][] };
/** Makes the finding when there is something to be found. */
type Finder = (run: WordRun, finding: () => Finding) => void;

interface Placed {
  readonly word: WeighedWord;
  readonly index: number;
}

/** A word that was read as a misspelling of another counts a little less. */
const CORRECTED = 0.9;

/** Finds the words of one question in many texts. */
export function wordMatcher({ words, tokens }: WeighedQuestion): (run: WordRun) => WordMatch {
  const isStemmed = (word: WeighedWord) => tokens === 'stems' && isLatin(word.surface);
  const known = words.flatMap((word, index) => (word.known ? [{ word, index }] : []));
  const stemmed = known.filter(({ word }) => isStemmed(word));
  const searched = known.filter(({ word }) => !isStemmed(word));
  const findStems = stemFinder(stemmed);
  const findParts = partFinder(searched, tokens);
  const nothing = blank(words.length);
  return (run) => {
    let found: Finding | undefined;
    const finding = () => {
      found ??= blank(words.length);
      return found;
    };
    if (stemmed.length > 0) findStems(run, finding);
    if (searched.length > 0) findParts(run, finding);
    return found ?? nothing;
  };
}

function blank(length: number): Finding {
  return {
    strength: new Array<number>(length).fill(0),
    exact: new Array<boolean>(length).fill(false),
    position: new Array<number>(length).fill(-1),
  };
}

/** The lowest bits of the words that are looked for tell most others apart without a look-up. */
const LOW_BITS = 0xff;

function stemFinder(stemmed: readonly Placed[]): Finder {
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

function partFinder(searched: readonly Placed[], tokens: Tokens): Finder {
  return ({ text }, finding) => {
    const padded = ` ${foldedWords(text, tokens).join(' ')} `;
    for (const { word, index } of searched) {
      const { strength, exact, position } = isUnspaced(word.surface)
        ? findRun(word, padded)
        : findGrams(word, padded);
      if (strength === 0) continue;
      const found = finding();
      found.strength[index] = strength;
      found.exact[index] = exact;
      found.position[index] = position;
    }
  };
}
