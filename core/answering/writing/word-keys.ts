import { fold } from '../../knowledge/fold.ts';
import { GENERAL_WORDS } from '../../knowledge/general-words.ts';
import { splitWords } from '../../knowledge/split-words.ts';
import { termHash } from '../../knowledge/term-hash.ts';
import { grams, isUnspaced, stemTokens } from '../../knowledge/word-tokens.ts';
import { withoutDisguise } from '../safety/disguise.ts';
import { numberWords } from './number-words.ts';

/** A word of a text as it is compared with the words of passages. */
export interface WordKey {
  readonly hash: number;
  /** Holds a digit: a price, a time, a code. Nobody guesses those. */
  readonly exact: boolean;
  /** Tells how many, in digits or as a word. */
  readonly counts: boolean;
}

const DIGIT = /\p{N}/u;
const THOUSANDS = /[.,](?=\p{N}{3}(?:\D|$))/gu;
/** Words that begin alike are taken for forms of one, in any language. */
const BEGINNING = 5;
const PART = /.{1,5}/gsu;

/** The words that carry meaning, in reading order, with repeats. */
export function wordKeys(text: string): readonly WordKey[] {
  return splitWords(fold(withoutDisguise(text, inParts))).flatMap(keysOf);
}

/** Letters that were set apart count for as many words as they may be. */
function inParts(word: string): string {
  return (word.match(PART) ?? []).join(' ');
}

function keysOf(word: string): WordKey | readonly WordKey[] {
  if (DIGIT.test(word)) {
    return key(word.replace(THOUSANDS, '').replace(',', '.'), { exact: true, counts: true });
  }
  if (isUnspaced(word)) return grams(word, 2).map((gram) => key(gram));
  const digits = numberWords.get(word);
  if (digits !== undefined) return key(digits, { exact: false, counts: true });
  const [stem] = stemTokens(word);
  return stem === undefined || word.length < 2 || GENERAL_WORDS.has(word)
    ? []
    : key(stem.slice(0, BEGINNING));
}

const plain = { exact: false, counts: false };

function key(text: string, kind: Omit<WordKey, 'hash'> = plain): WordKey {
  return { hash: termHash(text), ...kind };
}
