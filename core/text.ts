import { z } from 'zod';
import type { Json } from './contract/account.ts';

/** A text as a database can hold it: without NULs, and with halves of surrogate pairs replaced. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** An escape that stands for what no database holds: NUL, or half of a surrogate pair. */
const unstorableEscape = /\\u(?:0000|d[89a-f])/i;

/** What was parsed from `json`, with every string in it `storable`. Most have nothing to mend and are left as they are. */
export function toStorableValue(value: unknown, json: string): unknown {
  return unstorableEscape.test(json) ? toStorableDeep(value) : value;
}

function toStorableDeep(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (Array.isArray(value)) return value.map(toStorableDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [toStorableText(name), toStorableDeep(item)]),
  );
}

/** As JSON that a database can hold: what it cannot is left out, for the rest would never be taken with it. */
export function stringifyStorable(values: readonly object[]): string {
  const json = JSON.stringify(values);
  const storable = toStorableValue(values, json);
  return storable === values ? json : JSON.stringify(storable);
}

const ellipsis = '…';

/** At most so many characters of a text, with a sign where something is left out. */
export function truncateText(text: string, most: number): string {
  return text.length <= most ? text : `${toStorableText(text.slice(0, most - ellipsis.length))}${ellipsis}`;
}

/** Signs of markup that a parser tries each with all the others of a paragraph, so that its time grows with their square. */
const SIGNS = /[\\[\]*_~`]/g;
/** More of them than people write in one paragraph. */
const MOST_SIGNS = 2_000;
/** What never goes on with the paragraph before it. */
const OWN_BLOCK = /^ {0,3}(?:[-*+] +\S|#{1,6} )/;
/** Such lines are not read as Markdown up to the next blank one. */
const HTML_BLOCK =
  /^ {0,3}<\/?(?:article|aside|blockquote|center|dd|details|div|dl|dt|figure|footer|form|h[1-6]|header|li|main|nav|ol|p|section|summary|t(?:able|body|d|foot|h|head|r)|ul)\b/i;
/** Quotations within quotations, or lists within them, deeper than a parser has room for. */
const DEEP = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){50}/;
const DELIMITER_ROW = /^ {0,3}[|:-][ \t|:-]*$/;

/**
 * The same Markdown, with the signs of paragraphs that hold more than 2,000 of them escaped, and quotations that are more
 * than 50 deep: those are shown as they were written. Rows of a table count one by one.
 */
export function escapeCrowded(markdown: string): string {
  if (markdown.length <= MOST_SIGNS) return markdown;
  const lines = markdown.split('\n');
  let start = 0;
  let count = 0;
  let isTable = false;
  const close = (end: number) => {
    if (count > MOST_SIGNS && !HTML_BLOCK.test(lines[start] ?? '')) {
      for (let at = start; at < end; at += 1) lines[at] = lines[at]?.replace(SIGNS, '\\$&') ?? '';
    }
    start = end;
    count = 0;
  };
  for (const [at, line] of lines.entries()) {
    const isBlank = line.trim() === '';
    isTable = !isBlank && (isTable || isDelimiterOf(lines[at - 1] ?? '', line));
    if (isBlank || isTable || OWN_BLOCK.test(line)) close(at);
    count += signsOf(line);
  }
  close(lines.length);
  return lines.map((line) => (DEEP.test(line) ? `\\${line.trimStart()}` : line)).join('\n');
}

/** Whether a line makes a table of the one before it: both have as many cells. */
function isDelimiterOf(head: string, line: string): boolean {
  return line.includes('-') && DELIMITER_ROW.test(line) && cellsOf(head) === cellsOf(line);
}

function cellsOf(row: string): number {
  const bars = row.match(/(?<!\\)\|/g)?.length ?? 0;
  const inner = row.trim();
  return bars + 1 - (inner.startsWith('|') ? 1 : 0) - (/(?<!\\)\|$/.test(inner) ? 1 : 0);
}

function signsOf(line: string): number {
  return line.match(SIGNS)?.length ?? 0;
}

/** What the database keeps as JSON is JSON: looking through it again would cost every message a good part of its time. */
export const storedJson = z.custom<Json>();
