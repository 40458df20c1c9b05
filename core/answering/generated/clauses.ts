import { LRUCache } from 'lru-cache';
import type { WriterPassage } from '../../contract/answer-writer.ts';
import { type PassageUnit, passageUnits } from '../../knowledge/passage-units.ts';
import { findLanguage } from '../../language/find-language.ts';
import type { Negation } from '../../language/grammar.ts';
import { languages } from '../../language/languages/index.ts';
import { NEVER, wordSet } from '../../language/patterns.ts';
import { fold, splitWords } from '../../language/words.ts';
import { withoutDisguise } from '../safety/disguise.ts';
import { parseQuantities, type Quantity } from './quantities.ts';
import { extractWordKeys } from './word-keys.ts';

/** A part of a sentence that states something, or a cell of a table with its label. */
export interface Clause {
  /** Hashes of its content words and numbers. */
  readonly words: ReadonlySet<number>;
  readonly quantities: readonly Quantity[];
  /** Hashes of the words that are written like names. */
  readonly names: ReadonlySet<number>;
  /** Null if the words that deny something in its language are not known. */
  readonly isDenied: boolean | null;
}

/** A sentence, list item or row of a passage, with what a reader sees above it. */
export interface Unit {
  readonly passage: WriterPassage;
  readonly unit: PassageUnit;
  readonly clauses: readonly Clause[];
  /** Words of all its clauses. */
  readonly words: ReadonlySet<number>;
  /** Words of the title, the headings, and the sentence that introduces the list. */
  readonly above: ReadonlySet<number>;
  /** Quantities of the headings and the introduction. */
  readonly quantitiesAbove: readonly Quantity[];
  /** Words of a row's first cell; empty for anything else. */
  readonly key: ReadonlySet<number>;
}

interface ClausePattern {
  readonly boundary: RegExp;
  readonly and: RegExp;
  readonly negations: ReadonlySet<string>;
  readonly affirming: RegExp;
}

const MARKS = String.raw`[;:()\n–—|]|[,.!?](?=\s)|\s-\s`;
const SHORT_NOT = /n['’]t(?!\p{L})/gu;
/** Keyed by language (ISO 639-1). */
const patterns = new Map(
  languages.flatMap(({ code, grammar }) =>
    grammar?.negation === undefined ? [] : [[code, toPattern(grammar.negation)] as const],
  ),
);

function toPattern({ words, affirming, joins, and }: Negation): ClausePattern {
  return {
    boundary: new RegExp(`(${MARKS}|(?<=\\s)(?:${joins}|${and})(?=\\s))`, 'iu'),
    and: new RegExp(`^(?:${and})$`, 'iu'),
    negations: wordSet(words),
    affirming: new RegExp(`(?<!\\p{L})(?:${affirming ?? NEVER.source})(?!\\p{L})`, 'gu'),
  };
}

function findPattern(language: string): ClausePattern | null {
  return patterns.get(language) ?? null;
}

const ANY_MARK = new RegExp(`(${MARKS})`, 'u');
/** A piece with fewer words and without a number belongs to the one before it. */
const CLAUSE_WORDS = 2;

/**
 * Splits a text of one language (ISO 639-1) into its clauses. A clause joined by `and` to a denied one may be denied with it:
 * both together are a clause too.
 */
export function readClauses(text: string, language: string): readonly Clause[] {
  const pattern = findPattern(language);
  const pieces: { text: string; joint: string }[] = [];
  let joint = '';
  for (const [index, piece] of text.split(pattern?.boundary ?? ANY_MARK).entries()) {
    const last = pieces.at(-1);
    if (index % 2 === 1) joint = piece;
    else if (isEmpty(piece, { isFirst: last === undefined, pattern })) continue;
    else if (last !== undefined && (isSmall(piece) || (pieces.length === 1 && isSmall(last.text))))
      last.text += ` ${joint} ${piece}`;
    else pieces.push({ text: piece, joint });
  }
  const nouns = findLanguage(language)?.capitalisesNouns === true;
  const clauses: Clause[] = [];
  let denied: Clause | null = null;
  for (const [index, piece] of pieces.entries()) {
    const clause = readClause(piece.text, { pattern, nouns, isStart: index === 0 });
    if (denied !== null && clause.isDenied === false && pattern?.and.test(piece.joint)) {
      const words: ReadonlySet<number> = new Set([...denied.words, ...clause.words]);
      denied = { words, quantities: [], names: new Set(), isDenied: true };
      clauses.push({ ...clause, isDenied: null }, denied);
    } else {
      clauses.push(clause);
      denied = clause.isDenied ? clause : null;
    }
  }
  return clauses;
}

/** `No, …` answers the question and denies nothing of what follows. */
function isEmpty(piece: string, { isFirst, pattern }: { isFirst: boolean; pattern: ClausePattern | null }) {
  const words = splitWords(fold(piece));
  return words.length === 0 || (isFirst && words.every((word) => pattern?.negations.has(word)));
}

function isSmall(piece: string): boolean {
  return !/\p{N}/u.test(piece) && extractWordKeys(piece).length < CLAUSE_WORDS;
}

interface Reading {
  readonly pattern: ClausePattern | null;
  /** Whether the language writes nouns like names. */
  readonly nouns: boolean;
  readonly isStart: boolean;
}

function readClause(text: string, { pattern, nouns, isStart }: Reading): Clause {
  return {
    words: hashesOf(pattern === null ? text : withoutNegations(text, pattern)),
    quantities: parseQuantities(text),
    names: namesIn(text, { nouns, isStart }),
    isDenied: pattern === null ? null : isDenied(text, pattern),
  };
}

/** Whether a sentence holds a word that denies something, whatever the context. */
export function mayDeny(text: string, language: string): boolean {
  const pattern = findPattern(language);
  return pattern !== null && isDenied(text, pattern);
}

function isDenied(text: string, pattern: ClausePattern): boolean {
  return affirmedWords(text, pattern).some((word) => pattern.negations.has(word));
}

function withoutNegations(text: string, { negations }: ClausePattern): string {
  return splitWords(fold(withoutDisguise(text)))
    .filter((word) => !negations.has(word))
    .join(' ');
}

/** Returns the words of a text without the phrases that only look like a denial. */
function affirmedWords(text: string, { affirming }: ClausePattern): readonly string[] {
  return splitWords(fold(text).replace(SHORT_NOT, ' not').replace(affirming, ' '));
}

export function hashesOf(text: string): ReadonlySet<number> {
  return new Set(extractWordKeys(text).map(({ hash }) => hash));
}

const CAPITALISED = /(?<before>^|[^\s\p{L}\p{N}]\s{0,2}|\s)(?<word>\p{Lu}[\p{L}\p{M}'’-]+)/gu;
const SENTENCE_START = /[.!?:…"“„«(*\n]\s{0,2}$/u;

/** Capitals at the start of a sentence say nothing; where nouns have them, two in a row are a name. */
function namesIn(text: string, { nouns, isStart }: Omit<Reading, 'pattern'>): ReadonlySet<number> {
  const names = new Set<number>();
  let previousEnd = -1;
  for (const { groups, index, 0: whole } of text.trim().matchAll(CAPITALISED)) {
    const { before = '', word = '' } = groups ?? {};
    const isRun = previousEnd === index && before === ' ';
    previousEnd = index + whole.length;
    const isOpening = index === 0 ? isStart || before !== '' : SENTENCE_START.test(before);
    if (isOpening || (nouns && !isRun)) continue;
    for (const hash of hashesOf(word)) names.add(hash);
  }
  return names;
}

/** The number of passages whose units stay cached; many questions find the same passages. */
const MAX_CACHED = 500;
const cache = new LRUCache<string, readonly Omit<Unit, 'passage'>[]>({ max: MAX_CACHED });

/** Reads the units of a passage; code is none. */
export function readUnits(passage: WriterPassage, language: string): readonly Unit[] {
  const path = [passage.title, ...passage.headings].join('\n');
  const key = `${language}\n${path}\n\n${passage.text}`;
  let units = cache.get(key);
  if (units === undefined) {
    units = unitsOf(path, passage.text, language);
    cache.set(key, units);
  }
  return units.map((unit) => ({ ...unit, passage }));
}

const LIST_ITEM = /^\s*(?:[-*+•‣–]|\(?\d{1,3}[.)])\s/u;

function unitsOf(path: string, text: string, language: string): readonly Omit<Unit, 'passage'>[] {
  let introduction = '';
  return passageUnits(text).flatMap((unit) => {
    if (unit.kind === 'code') return [];
    const isItem = unit.row !== null || LIST_ITEM.test(unit.text);
    if (!isItem) introduction = unit.text;
    const above = `${path}\n${isItem ? introduction : ''}`;
    const clauses =
      unit.row === null
        ? readClauses(unit.text, language)
        : rowClauses(unit.row.labels, unit.row.cells, findPattern(language));
    return {
      unit,
      clauses,
      words: new Set(clauses.flatMap(({ words }) => [...words])),
      above: hashesOf(above),
      quantitiesAbove: parseQuantities(above),
      key: unit.row === null ? new Set<number>() : hashesOf(unit.row.cells[0] ?? ''),
    };
  });
}

function rowClauses(
  labels: readonly string[],
  cells: readonly string[],
  pattern: ClausePattern | null,
): readonly Clause[] {
  return cells.map((cell, column) => {
    const text = cell === '' ? '' : `${labels[column] ?? ''} ${cell}`;
    return readClause(text, { pattern, nouns: false, isStart: true });
  });
}
