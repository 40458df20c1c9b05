import type { Place } from '../contract/answer.ts';
import type { CuratedAction } from './curated/curated-answer.ts';

/** One passage that the search found, with the measures of its lexical and its vector half. */
export interface Candidate {
  readonly chunkId: string;
  readonly documentId: string;
  /** Position in the document, from 0. */
  readonly ordinal: number;
  readonly title: string | null;
  /** The headings above the passage, outermost first; without the document's title. */
  readonly headings: readonly string[];
  /** The passage as it is shown and quoted, in Markdown. */
  readonly body: string;
  /** Exact BM25 over all terms of the question (k1 1.2, b 0.75); 0 if no term occurs. */
  readonly bm25: number;
  /** Cosine of question and passage, -1 to 1; null if the question has no vector. */
  readonly cosine: number | null;
  /**
   * Cosine of the question and each unit of the passage (`passageUnits`) with its document's title; null if the question
   * has no vector, or the passage no vectors of its units.
   */
  readonly unitCosines: readonly number[] | null;
  /** Whether it is a curated answer of which the question is a phrasing: it comes first. Absent: it is not. */
  readonly isExact?: boolean;
}

/** A candidate with the title and URL of its document. */
export interface FoundPassage extends Candidate {
  readonly title: string;
  readonly url: string | null;
  /** Where in its document it stands; null if the format does not tell. */
  readonly place: Place | null;
  /** The action of its curated answer. Absent: it is from another kind of document. */
  readonly curated?: CuratedAction;
}

/** The evidence behind a score, each from 0 to 1. Operators see it to explain an answer. */
export interface ScoreParts {
  /** BM25 as a share of the maximum that this question can reach in this scope. */
  readonly bm25: number;
  /** Share of the question, weighted by word rarity, in the best sentence together with title and headings. */
  readonly coverage: number;
  /** Share of the question that the passage contains in exactly the same word form. */
  readonly exact: number;
  /** Share of the question's neighbouring word pairs that are also close together in the passage. */
  readonly pairs: number;
  /** Cosine of question and passage; 0 if negative or unknown. */
  readonly cosine: number;
  /** Highest cosine of the question and a unit of the passage with its title; `cosine` if unknown. */
  readonly sentence: number;
  /** Combination of the other six: decides the order, but among about equal passages. */
  readonly fused: number;
  /** How far the first passage is ahead of the second; 0 for all others. */
  readonly lead: number;
}

/** A candidate with its calibrated score. */
export type RankedChunk<Found extends Candidate = Candidate> = Found & {
  /** Calibrated probability that this passage answers the question, 0 to 1. */
  readonly score: number;
  readonly parts: ScoreParts;
  /**
   * The probability that the answer begins or ends in each unit of the passage (`passageUnits`). Absent: the reader has not
   * read the passage.
   */
  readonly unitShares?: readonly number[];
};

/** Statistics of the searched scope that BM25 needs. */
export interface CorpusStatistics {
  /** Number of chunks in the scope. */
  readonly chunks: number;
  /** Number of chunks that contain a term, by term hash; terms that occur nowhere are absent. */
  readonly documentFrequency: ReadonlyMap<number, number>;
}

/** Result of a candidate search over the documents that the caller may read. */
export interface FoundCandidates {
  /** Over all searched chunks. */
  readonly statistics: CorpusStatistics;
  /** The passages, at most forty, the most promising first. */
  readonly passages: readonly FoundPassage[];
}

/** Returns the text that is embedded and tokenised for a chunk: title and headings, then the passage's plain form. */
export function indexedText(title: string, headings: readonly string[], body: string): string {
  const head = passageHead(title, headings);
  const text = plainText(body);
  return head === '' ? text : `${head}\n${text}`;
}

/** Returns the title and headings of a passage as one line; empty if it has none. */
export function passageHead(title: string, headings: readonly string[]): string {
  return [title, ...headings]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' > ');
}

/**
 * The two forms of a passage. Its body is Markdown: code in fences with the language, tables as pipe tables with their
 * header, lists with markers and levels. The plain form, which is derived from the body, is what is embedded, tokenised
 * and matched: code without its fence, and each row as `column: value; column: value`.
 */
export type PassagePart = TextPart | CodePart | TablePart;

interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

interface CodePart {
  readonly kind: 'code';
  /** The whole fence. */
  readonly text: string;
  readonly code: string;
  /** A file name, a tool or a tab that distinguishes this example from its alternatives. */
  readonly title: string;
}

interface TablePart {
  readonly kind: 'table';
  readonly labels: Row;
  readonly rows: readonly Row[];
}

/** The cells of one row by column. */
export type Row = readonly string[];

/** Text around the lines of code, or before the rows of a table. */
export interface Frame {
  readonly open: string;
  readonly close: string;
}

/** Size limits of a passage, and the function that counts its word pieces. */
export interface PassageSize {
  readonly maxCharacters: number;
  readonly maxPieces: number;
  readonly countPieces: (text: string) => number;
}

const OPENING = /^ *(?<fence>`{3,})(?<info>[^`]*)$/;
const TITLE = /\btitle="([^"]*)"/;
const RULE = /^\|(?: :?-+:? \|)+$/;

/** Splits a body into its running text, code and tables, in order. A fence without an end is running text. */
export function parsePassage(body: string): readonly PassagePart[] {
  const lines = body.split('\n');
  const parts: PassagePart[] = [];
  let text: string[] = [];
  const add = (part: PassagePart): void => {
    if (text.length > 0) parts.push({ kind: 'text', text: text.join('\n') });
    text = [];
    parts.push(part);
  };
  const unclosed = new Set<string>();
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const end = line.startsWith('|') ? tableEnd(lines, at) : fenceEnd(lines, at, unclosed);
    if (end === null) text.push(line);
    else if (line.startsWith('|')) add(parseTable(lines.slice(at, end)));
    else add(parseFence(lines.slice(at, end)));
    at = end ?? at + 1;
  }
  if (text.length > 0) parts.push({ kind: 'text', text: text.join('\n') });
  return parts;
}

function tableEnd(lines: readonly string[], from: number): number | null {
  if (!RULE.test(lines[from + 1] ?? '')) return null;
  let end = from + 2;
  while (lines[end]?.startsWith('|')) end += 1;
  return end;
}

function fenceEnd(lines: readonly string[], from: number, unclosed: Set<string>): number | null {
  const fence = OPENING.exec(lines[from] ?? '')?.groups?.fence;
  if (fence === undefined || unclosed.has(fence)) return null;
  const end = lines.findIndex((line, index) => index > from && line.trim() === fence);
  if (end === -1) unclosed.add(fence);
  return end === -1 ? null : end + 1;
}

function parseFence(lines: readonly string[]): CodePart {
  return {
    kind: 'code',
    text: lines.join('\n'),
    code: lines.slice(1, -1).join('\n'),
    title: TITLE.exec(lines[0] ?? '')?.[1] ?? '',
  };
}

function parseTable([head = '', , ...rows]: readonly string[]): TablePart {
  return { kind: 'table', labels: parseRow(head), rows: rows.map(parseRow) };
}

function parseRow(line: string): Row {
  const cells = line
    .slice(1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
  return cells.slice(0, -1);
}

/** Returns the plain form of a body. */
export function plainText(body: string): string {
  if (!body.includes('```') && !body.includes('|')) return body;
  return parsePassage(body).map(plainPart).join('\n');
}

function plainPart(part: PassagePart): string {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'table') return rowLines(part.labels, part.rows).join('\n');
  return part.title === '' ? part.code : `${part.title}:\n${part.code}`;
}

export interface CodeForm {
  readonly language: string;
  readonly title: string;
}

/** Returns the fence for code, longer than any fence in it. */
export function codeFrame(code: string, { language, title }: CodeForm): Frame {
  const inner = code.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...inner.map((ticks) => ticks.length + 1)));
  const info = [language, title === '' ? '' : `title="${title}"`].filter((part) => part !== '').join(' ');
  return { open: `${fence}${info}\n`, close: `\n${fence}` };
}

/** Returns the head of a pipe table for rows of at most `width` cells. */
export function tableFrame(labels: Row, width: number): Frame {
  const all = Array.from({ length: Math.max(width, labels.length) }, (_, column) => labels[column] ?? '');
  return { open: `${tableRow(all)}\n|${' --- |'.repeat(all.length)}\n`, close: '' };
}

export function tableRow(cells: Row): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
}

/**
 * Renders rows as lines that make sense alone: each value with the label of its column. Without labels, two columns are
 * rendered as name and value. Empty cells are omitted.
 */
export function rowLines(labels: Row, rows: readonly Row[]): string[] {
  return rows.map((row) => rowLine(labels, row)).filter((line) => line !== '');
}

export function rowLine(labels: Row, row: Row): string {
  return labels.some((label) => label !== '') ? labelledRow(labels, row) : plainRow(row);
}

/** Returns `label: value`, without a colon if the label already ends in one. */
export function labelValue(label: string, value: string): string {
  if (label === '') return value;
  return /[:?!]$/.test(label) ? `${label} ${value}` : `${label}: ${value}`;
}

function labelledRow(labels: Row, row: Row): string {
  const parts = row.map((value, column) => (value === '' ? '' : labelValue(labels[column] ?? '', value)));
  return parts.filter((part) => part !== '').join('; ');
}

function plainRow(row: Row): string {
  const [name = '', value = '', ...others] = row;
  if (name !== '' && value !== '' && others.every((cell) => cell === '')) return labelValue(name, value);
  return row.filter((cell) => cell !== '').join(' | ');
}
