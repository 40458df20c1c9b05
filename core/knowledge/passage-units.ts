import { LRUCache } from 'lru-cache';
import { splitSentences } from '../language/sentences.ts';
import { parsePassage, type Row, rowLine } from './passage.ts';
import { toWordSequences, type WordSequence } from './ranking/match-words.ts';

/** The smallest part of a passage that is quoted: a sentence, a list item, a table row, or a whole piece of code. */
export interface PassageUnit {
  readonly kind: 'sentence' | 'row' | 'code';
  /** The text as it is quoted. */
  readonly text: string;
  /** The plain form: what questions are matched against. */
  readonly words: WordSequence;
  /** The white space before it: a blank line, a line end with the indentation, a space, or nothing. */
  readonly before: string;
  /** The title of code that has alternatives. */
  readonly title: string;
  readonly row: TableRow | null;
}

export interface TableRow {
  /** The same object for all rows of one table. */
  readonly labels: Row;
  readonly cells: Row;
}

type Unworded = Omit<PassageUnit, 'words'> & { readonly plain: string };

const MAX_CACHED_CHARACTERS = 2_000_000;
const ENTRY_OVERHEAD = 500;
const cache = new LRUCache<string, readonly PassageUnit[]>({
  maxSize: MAX_CACHED_CHARACTERS,
  sizeCalculation: (_, text) => text.length + ENTRY_OVERHEAD,
});

/** Splits a passage's body into its units, in order. */
export function passageUnits(body: string): readonly PassageUnit[] {
  const cached = cache.get(body);
  if (cached !== undefined) return cached;
  const units: Unworded[] = [];
  let gap = '';
  for (const part of parsePassage(body)) {
    if (part.kind === 'text') {
      const { found, rest } = sentenceUnits(part.text, gap);
      units.push(...found);
      gap = `${rest}\n`;
      continue;
    }
    if (part.kind === 'code') {
      const plain = part.title === '' ? part.code : `${part.title}: ${part.code}`;
      units.push({ kind: 'code', text: part.text, plain, before: gap, title: part.title, row: null });
    } else
      units.push(...part.rows.map((cells, index) => rowUnit(part.labels, cells, index === 0 ? gap : '\n')));
    gap = '\n';
  }
  const sequences = toWordSequences(units.map(({ plain }) => plain));
  const worded = units.flatMap(({ plain: _, ...unit }, index) => {
    const words = sequences[index];
    return words === undefined ? [] : [{ ...unit, words }];
  });
  cache.set(body, worded);
  return worded;
}

function rowUnit(labels: Row, cells: Row, before: string): Unworded {
  const text = rowLine(labels, cells);
  return { kind: 'row', text, plain: text, before, title: '', row: { labels, cells } };
}

interface FoundSentences {
  readonly found: readonly Unworded[];
  /** The white space after the last sentence. */
  readonly rest: string;
}

/** Sentences have their white space normalised, so each is found in the text by its other characters. */
function sentenceUnits(text: string, before: string): FoundSentences {
  const found: Unworded[] = [];
  let position = 0;
  let gap = before;
  for (const sentence of splitSentences(text)) {
    const start = skipSpace(text, position);
    gap += text.slice(position, start);
    position = start;
    for (const character of sentence) {
      if (character.trim() === '') continue;
      position = skipSpace(text, position) + character.length;
    }
    found.push({ kind: 'sentence', text: sentence, plain: sentence, before: gap, title: '', row: null });
    gap = '';
  }
  return { found, rest: gap + text.slice(position) };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at).trim() === '') at += 1;
  return at;
}
