import { z } from 'zod';
import type { Json } from '../contract/account.ts';

/** Returns a text that PostgreSQL can store: without NUL characters, and with lone surrogates replaced. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** A JSON escape that PostgreSQL cannot store: NUL or a surrogate half. */
const unstorableEscape = /\\u(?:0000|d[89a-f])/i;

/**
 * Returns `value`, parsed from `json`, with every string storable. Most values need no change and are returned
 * as they are.
 */
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

/**
 * Serialises rows as JSON that PostgreSQL can store. Unstorable characters are removed, because otherwise the
 * whole statement would fail again and again.
 */
export function stringifyStorable(values: readonly object[]): string {
  const json = JSON.stringify(values);
  const storable = toStorableValue(values, json);
  return storable === values ? json : JSON.stringify(storable);
}

const ellipsis = '…';

/** Truncates a text to `max` characters and marks the cut with an ellipsis. */
export function truncateText(text: string, max: number): string {
  return text.length <= max ? text : `${toStorableText(text.slice(0, max - ellipsis.length))}${ellipsis}`;
}

/**
 * Markup characters that a parser compares with all others of a paragraph, so that its time grows
 * quadratically.
 */
const SIGNS = /[\\[\]*_~`]/g;
/** More than people write in one paragraph. */
const MAX_SIGNS = 2_000;
/** Lines that always start a block of their own. */
const OWN_BLOCK = /^ {0,3}(?:[-*+] +\S|#{1,6} )/;
/** Such lines are not parsed as Markdown up to the next blank line. */
const HTML_BLOCK =
  /^ {0,3}<\/?(?:article|aside|blockquote|center|dd|details|div|dl|dt|figure|footer|form|h[1-6]|header|li|main|nav|ol|p|section|summary|t(?:able|body|d|foot|h|head|r)|ul)\b/i;
/** Nested quotations or lists that are deeper than a parser supports. */
const DEEP = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){50}/;
const DELIMITER_ROW = /^ {0,3}[|:-][ \t|:-]*$/;

/**
 * Escapes the markup of paragraphs with more than 2,000 markup characters, and quotations nested more than 50
 * deep, so that they are shown literally. Each row of a table counts by itself.
 */
export function escapeCrowded(markdown: string): string {
  if (markdown.length <= MAX_SIGNS) return markdown;
  const lines = markdown.split('\n');
  let start = 0;
  let count = 0;
  let isTable = false;
  const close = (end: number) => {
    if (count > MAX_SIGNS && !HTML_BLOCK.test(lines[start] ?? '')) {
      for (let at = start; at < end; at += 1) lines[at] = lines[at]?.replace(SIGNS, '\\$&') ?? '';
    }
    start = end;
    count = 0;
  };
  for (const [at, line] of lines.entries()) {
    const isBlank = line.trim() === '';
    isTable = !isBlank && (isTable || isDelimiterRow(lines[at - 1] ?? '', line));
    if (isBlank || isTable || OWN_BLOCK.test(line)) close(at);
    count += countSigns(line);
  }
  close(lines.length);
  return lines.map((line) => (DEEP.test(line) ? `\\${line.trimStart()}` : line)).join('\n');
}

/**
 * Returns true if the line turns the line before it into a table header, because both have the same number of
 * cells.
 */
function isDelimiterRow(head: string, line: string): boolean {
  return line.includes('-') && DELIMITER_ROW.test(line) && countCells(head) === countCells(line);
}

function countCells(row: string): number {
  const bars = row.match(/(?<!\\)\|/g)?.length ?? 0;
  const inner = row.trim();
  return bars + 1 - (inner.startsWith('|') ? 1 : 0) - (/(?<!\\)\|$/.test(inner) ? 1 : 0);
}

function countSigns(line: string): number {
  return line.match(SIGNS)?.length ?? 0;
}

/** Stored JSON is trusted: validating it again would cost a considerable part of the time of each message. */
export const storedJson = z.custom<Json>();

export function digitsOf(phone: string): string {
  return phone.replaceAll(/\D/g, '');
}

/** Decodes the escapes of a part of an address. A part with an invalid escape stays as it is. */
export function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
