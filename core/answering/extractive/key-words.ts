import type { RankedChunk, Row } from '../../knowledge/passage.ts';
import { passagePath } from '../../knowledge/ranking/rank-candidates.ts';
import { findLanguage, wholeWords } from '../../language/find-language.ts';
import { english } from '../../language/languages/en/english.ts';
import { splitFoldedWords, stemWord } from '../../language/tokens.ts';
import { quoteRules } from '../rules.ts';
import type { ScoredSentence } from './score-sentences.ts';

/** A passage with its units. */
export interface ScoredPassage {
  readonly passage: RankedChunk;
  readonly sentences: readonly ScoredSentence[];
}

/** The stems of the words that an answer is about. */
interface KeyWords {
  /** Of the message itself, if the question was completed from the conversation: any unit may lack one. */
  readonly message: readonly string[];
  /** Of the names and numbers in the question: they tell the rows of a table apart. Running text refers to them in other words. */
  readonly names: readonly string[];
}

/** A name inside a sentence. */
const NAME = /(?=\p{Lu})(?<=[\p{L}\p{N},;:]\s+["'“(]?)\p{Lu}[\p{L}\p{N}]{2,}/gu;
/** English, as the stems are. */
const NUMBER_WORDS = english.grammar.numbers.fromTwo.split(/\s+/u).slice(0, 11);
const NUMBER = new RegExp(`\\p{N}+(?:[.,]\\p{N}+)*|\\b(?:${NUMBER_WORDS.join('|')})\\b`, 'giu');

/** Returns the words of a question that decide between units which answer it about as well. */
export function keyWords(question: string, message: string, language: string): KeyWords {
  const isTold = findLanguage(language)?.capitalisesNouns !== true;
  const names = isTold ? (question.match(NAME) ?? []) : [];
  const numbers = question.match(NUMBER) ?? [];
  const own = new Set(message === question ? [] : stemsOf(message));
  const named = new Set(stemsOf([...names, ...numbers].join(' ')));
  return { message: [...own], names: [...named].filter((stem) => !own.has(stem)) };
}

/**
 * Lowers the scores of units that lack a word of the message which another unit, or what stands above it, has, and of rows
 * that lack a name or number which another row of their table has.
 */
export function preferKeyWords(
  passages: readonly ScoredPassage[],
  { message, names }: KeyWords,
): readonly ScoredPassage[] {
  const hasTable =
    names.length > 0 && passages.some(({ sentences }) => sentences.some(({ row }) => row !== null));
  // Stemming every unit takes longer than scoring it.
  if (message.length === 0 && !hasTable) return passages;
  const held = passages.map(({ passage, sentences }) => {
    const path = stemsOf(passagePath(passage).text);
    const isRead = ({ row }: ScoredSentence) => message.length > 0 || row !== null;
    return sentences.map((unit) => new Set(isRead(unit) ? [...path, ...stemsOf(unit.text)] : []));
  });
  const said = message.filter((stem) => held.some((units) => units.some((stems) => stems.has(stem))));
  return passages.map(({ passage, sentences }, at) => {
    const stems = held[at] ?? [];
    const lacked = (wanted: readonly string[], index: number) =>
      wanted.filter((stem) => stems[index]?.has(stem) !== true).length;
    const told = namesByTable(sentences, stems, names);
    const weighed = sentences.map((sentence, index) => {
      const ofTable = sentence.row === null ? [] : (told.get(sentence.row.labels) ?? []);
      const lacking = lacked(said, index) + lacked(ofTable, index);
      return lacking === 0 ? sentence : { ...sentence, score: sentence.score - quoteRules.lacking * lacking };
    });
    return { passage, sentences: weighed };
  });
}

/** Returns those of the names that each table of a passage holds, by its labels. */
function namesByTable(
  sentences: readonly ScoredSentence[],
  stems: readonly ReadonlySet<string>[],
  names: readonly string[],
): ReadonlyMap<Row, readonly string[]> {
  const told = new Map<Row, readonly string[]>();
  for (const [index, { row }] of sentences.entries()) {
    if (row === null) continue;
    const known = told.get(row.labels) ?? [];
    told.set(row.labels, [
      ...known,
      ...names.filter((name) => stems[index]?.has(name) && !known.includes(name)),
    ]);
  }
  return told;
}

/** Numbers up to twelve are the same as words and as digits. */
function stemsOf(text: string): readonly string[] {
  return splitFoldedWords(text, 'stems').flatMap((word) => {
    const number = NUMBER_WORDS.indexOf(word);
    return number >= 0 ? [String(number + 2)] : stemWord(word);
  });
}

/** Points to a later place of the document. */
const POINTS_BELOW = wholeWords(({ grammar }) => grammar?.quoteCues?.laterPlace);

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
