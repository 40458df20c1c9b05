import type { RankedChunk } from '../../knowledge/passage.ts';
import { listParts, uniteWords } from '../../language/find-language.ts';
import { stemWord } from '../../language/tokens.ts';
import { fold, splitWords } from '../../language/words.ts';
import { answerRules } from '../rules.ts';

const everyday = listParts(({ everydayWords }) => everydayWords);
const FILLERS = uniteWords(({ everydayWords }) => everydayWords?.fillers);

const MAX_PHRASE_WORDS = 4;

/** Alternatives by the words of a phrase, each as its words. */
const alternatives = readGroups();

/**
 * Returns the question in the words of the passages that were found for it: each everyday word that they lack is replaced by
 * one of the same meaning that they hold. Null if there is nothing to replace. Pure.
 */
export function everydayReading(
  question: string,
  ranked: readonly Pick<RankedChunk, 'title' | 'headings' | 'body'>[],
): string | null {
  const near = ranked.slice(0, answerRules.everydayPassages).map(passageStems);
  const words = splitWords(fold(question).replace(/['’]/gu, ''));
  const spoken: string[] = [];
  let isReplaced = false;
  for (let at = 0; at < words.length; ) {
    const phrase = longestPhrase(words, at);
    const replacement = phrase === null ? null : bestAlternative(phrase, near);
    if (phrase !== null && replacement !== null) {
      spoken.push(...replacement);
      isReplaced = true;
      at += phrase.length;
      continue;
    }
    const word = words[at] ?? '';
    at += 1;
    if (isTwisted(word) && !holds([word], near)) isReplaced = true;
    else if (!FILLERS.has(word) || holds([word], near)) spoken.push(word);
  }
  return isReplaced ? spoken.join(' ') : null;
}

const QUESTION_WORDS = uniteWords(({ everydayWords }) => everydayWords?.questionWords);
const twisted = new Set([...QUESTION_WORDS].map(sortLetters));

/** Whether a word is a question word with its letters in another order: `mcuh`. */
function isTwisted(word: string): boolean {
  return !QUESTION_WORDS.has(word) && twisted.has(sortLetters(word));
}

function sortLetters(word: string): string {
  return [...word].toSorted().join('');
}

type Phrase = readonly string[];

function longestPhrase(words: readonly string[], at: number): Phrase | null {
  for (let length = MAX_PHRASE_WORDS; length > 0; length -= 1) {
    const phrase = words.slice(at, at + length);
    if (phrase.length === length && alternatives.has(keyOf(phrase))) return phrase;
  }
  return null;
}

function bestAlternative(phrase: Phrase, near: readonly ReadonlySet<string>[]): Phrase | null {
  if (holds(phrase, near)) return null;
  let best: Phrase | null = null;
  let most = 0;
  for (const alternative of alternatives.get(keyOf(phrase)) ?? []) {
    const count = near.reduce(
      (sum, stems, index) => sum + (isWithin(alternative, stems) ? 1 / (index + 1) : 0),
      0,
    );
    if (count > most) [best, most] = [alternative, count];
  }
  return best;
}

function holds(phrase: Phrase, near: readonly ReadonlySet<string>[]): boolean {
  return near.some((stems) => isWithin(phrase, stems));
}

function isWithin(phrase: Phrase, stems: ReadonlySet<string>): boolean {
  const own = phrase.flatMap(stemWord);
  return own.length > 0 && own.every((stem) => stems.has(stem));
}

function passageStems({
  title,
  headings,
  body,
}: Pick<RankedChunk, 'title' | 'headings' | 'body'>): ReadonlySet<string> {
  const text = fold([title ?? '', ...headings, body].join('\n'));
  return new Set(splitWords(text).flatMap(stemWord));
}

/** Words are found in any form: `returning` as `return`. */
function keyOf(phrase: Phrase): string {
  return phrase.map((word) => stemWord(word)[0] ?? word).join(' ');
}

function readGroups(): ReadonlyMap<string, readonly Phrase[]> {
  const found = new Map<string, Phrase[]>();
  for (const group of everyday.flatMap(({ groups }) => groups)) {
    const phrases = group.split(',').map((phrase) => splitWords(fold(phrase)));
    for (const phrase of phrases) {
      const others = phrases.filter((other) => keyOf(other) !== keyOf(phrase));
      found.set(keyOf(phrase), [...(found.get(keyOf(phrase)) ?? []), ...others]);
    }
  }
  return found;
}
