import type { RankedChunk } from '../../knowledge/passage.ts';
import { passagePath } from '../../knowledge/ranking/rank-candidates.ts';
import { splitFoldedWords, stemWord } from '../../knowledge/text/tokens.ts';
import type { ScoredSentence } from './score-sentences.ts';

/** A passage with its units. */
export interface ScoredPassage {
  readonly passage: RankedChunk;
  readonly sentences: readonly ScoredSentence[];
}

interface KeyWord {
  readonly stem: string;
  /** Whether running text must hold it too. Sentences refer to names and numbers by other words, rows and items do not. */
  readonly inText: boolean;
}

/** A name inside a sentence. */
const NAME = /(?=\p{Lu})(?<=[\p{L}\p{N},;:]\s+["'“(]?)\p{Lu}[\p{L}\p{N}]{2,}/gu;
const NUMBER = /\p{N}+(?:[.,]\p{N}+)*|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/giu;
const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** The penalty of a unit for each key word that it lacks and another unit has. */
const LACKING = 0.15;

/**
 * Returns the stems of the words that an answer is about: the names and numbers in a question, and the words of the
 * message itself if the question was completed from the conversation.
 */
export function keyWords(question: string, message: string, language: string): readonly KeyWord[] {
  // German writes every noun with a capital.
  const names = language === 'de' ? [] : (question.match(NAME) ?? []);
  const own = message === question ? '' : message;
  const numbers = question.match(NUMBER) ?? [];
  const ofMessage = new Set(stemsOf(own));
  const stems = new Set([...ofMessage, ...stemsOf([...names, ...numbers].join(' '))]);
  return [...stems].map((stem) => ({ stem, inText: ofMessage.has(stem) }));
}

/** Lowers the scores of units that lack a key word which another unit, or what stands above it, has. */
export function preferKeyWords(
  passages: readonly ScoredPassage[],
  keys: readonly KeyWord[],
): readonly ScoredPassage[] {
  if (keys.length === 0) return passages;
  const held = passages.map(({ passage, sentences }) => {
    const path = stemsOf(passagePath(passage).text);
    return sentences.map(({ text }) => new Set([...path, ...stemsOf(text)]));
  });
  const holds = (stem: string, inText: boolean) =>
    passages.some(({ sentences }, at) =>
      sentences.some(
        ({ role }, index) =>
          (inText || role === 'row' || role === 'item') && held[at]?.[index]?.has(stem) === true,
      ),
    );
  const wanted = keys.filter(({ stem, inText }) => holds(stem, inText));
  return passages.map(({ passage, sentences }, at) => ({
    passage,
    sentences: sentences.map((sentence, index) => {
      const lacking = wanted.filter(({ stem }) => held[at]?.[index]?.has(stem) !== true).length;
      return lacking === 0 ? sentence : { ...sentence, score: sentence.score - LACKING * lacking };
    }),
  }));
}

/** Numbers up to twelve are the same as words and as digits. */
function stemsOf(text: string): readonly string[] {
  return splitFoldedWords(text, 'stems').flatMap((word) => {
    const number = NUMBER_WORDS.indexOf(word);
    return number > 1 ? [String(number)] : stemWord(word);
  });
}

/** Points to a later place of the document. */
const POINTS_BELOW = /\b(?:described|shown|listed|explained|given|see) below\b/iu;

/**
 * Returns the later passage that a unit points to with words such as `as described below`: the one with most of the unit's
 * words in its own heading. Null if the unit points nowhere or none fits.
 */
export function findPointedPassage(
  unit: Pick<ScoredSentence, 'text'>,
  from: RankedChunk,
  ranked: readonly RankedChunk[],
): RankedChunk | null {
  if (!POINTS_BELOW.test(unit.text)) return null;
  const words = new Set(stemsOf(unit.text));
  const shared = ({ headings }: RankedChunk) =>
    stemsOf(headings.at(-1) ?? '').filter((stem) => words.has(stem)).length;
  const later = ranked.filter(
    (one) => one.documentId === from.documentId && one.ordinal > from.ordinal && shared(one) > 0,
  );
  return later.toSorted((one, other) => shared(other) - shared(one))[0] ?? null;
}

/** Whether a unit points to a later place. */
export function pointsBelow({ text }: Pick<ScoredSentence, 'text'>): boolean {
  return POINTS_BELOW.test(text);
}
