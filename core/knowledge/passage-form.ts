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
  /** What distinguishes this example from its alternatives: a file name, a tool, a tab. */
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
