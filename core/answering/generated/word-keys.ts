import { numberWords } from '../../language/quantity-words.ts';
import { GENERIC_QUESTION_WORDS } from '../../language/stop-words.ts';
import { characterGrams, isUnspaced, stemWord, termHash } from '../../language/tokens.ts';
import { fold, splitWords } from '../../language/words.ts';
import { withoutDisguise } from '../safety/disguise.ts';

/** A word of a text, in the form in which it is compared with the words of passages. */
export interface WordKey {
  readonly hash: number;
  /** Contains a digit (a price, a time, a code), which must match exactly. */
  readonly exact: boolean;
  /** States a quantity, in digits or as a word. */
  readonly counts: boolean;
}

const DIGIT = /\p{N}/u;
const THOUSANDS = /[.,](?=\p{N}{3}(?:\D|$))/gu;
/** Words with the same first letters count as forms of one word, in any language. */
const PREFIX_CHARS = 5;
const PART = /.{1,5}/gsu;

/** Returns the content words of a text in reading order, with repetitions. */
export function extractWordKeys(text: string): readonly WordKey[] {
  return splitWords(fold(withoutDisguise(text, splitIntoParts))).flatMap(toWordKeys);
}

/** Splits a word whose letters were spaced out into parts, so that it counts as several words. */
function splitIntoParts(word: string): string {
  return (word.match(PART) ?? []).join(' ');
}

function toWordKeys(word: string): WordKey | readonly WordKey[] {
  if (DIGIT.test(word)) {
    return createWordKey(word.replace(THOUSANDS, '').replace(',', '.'), { exact: true, counts: true });
  }
  if (isUnspaced(word)) return characterGrams(word, 2).map((gram) => createWordKey(gram));
  const digits = numberWords.get(word);
  if (digits !== undefined) return createWordKey(String(digits), { exact: false, counts: true });
  const [stem] = stemWord(word);
  return stem === undefined || word.length < 2 || GENERIC_QUESTION_WORDS.has(word)
    ? []
    : createWordKey(stem.slice(0, PREFIX_CHARS));
}

const plain = { exact: false, counts: false };

function createWordKey(text: string, kind: Omit<WordKey, 'hash'> = plain): WordKey {
  return { hash: termHash(text), ...kind };
}
