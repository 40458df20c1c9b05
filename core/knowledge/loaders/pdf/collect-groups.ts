import { type BlockCollector, renderTable } from '../block-collector.ts';
import type { LineGroup, PageStyle } from './group-lines.ts';

const BULLET = /^[•‣▪●○◦·–—*\p{Co}-]\s+/u;

/** Passes the groups of a document to the collector as headings, paragraphs, lists, tables and code. */
export function collectGroups(
  groups: readonly LineGroup[],
  headingLevel: HeadingLevel,
  collector: BlockCollector,
): void {
  const vocabulary = hyphenatedWords(groups.flatMap((group) => group.lines.map((line) => line.text)));
  let items: string[] = [];
  const flushItems = (): void => {
    collector.add('list', items.join('\n'));
    items = [];
  };
  groups.forEach((group, index) => {
    const level = headingLevel(group, groups[index + 1]);
    const text = joinLines(
      group.lines.map((line) => line.text),
      vocabulary,
    );
    if (group.kind === 'item' && level === null) {
      items.push(text.replace(BULLET, '- '));
      return;
    }
    flushItems();
    if (level !== null) collector.heading(level, text);
    else if (group.kind === 'table') addTable(group, collector);
    else if (group.kind === 'code') collector.add('code', codeText(group));
    else collector.add('paragraph', text);
  });
  flushItems();
}

function addTable(group: LineGroup, collector: BlockCollector): void {
  const [header, ...rows] = group.lines.map((line) => line.cells);
  if (header === undefined) return;
  const labelled =
    rows.length > 1 && header.every((cell) => /\p{L}/u.test(cell)) && new Set(header).size === header.length;
  const { text, form } = labelled ? renderTable(header, rows) : renderTable([], [header, ...rows]);
  collector.add('table', text, form);
}

/** Restores indentation from the left edge of each line. Monospace characters are about 0.6 font sizes wide. */
function codeText({ lines }: LineGroup): string {
  const margin = Math.min(...lines.map((line) => line.left));
  return lines
    .map(
      (line) => ' '.repeat(Math.round((line.left - margin) / (0.6 * line.fontSize))) + line.cells.join('  '),
    )
    .join('\n');
}

const HEADING_SIZE_RATIO = 1.12;
const MAX_HEADING_LINES = 3;
const MAX_HEADING_CHARACTERS = 200;
const MAX_BOLD_HEADING_CHARACTERS = 100;
const MAX_SIZE_LEVELS = 5;

/** Returns the level of a heading (1 is the outermost), or null for other text. */
type HeadingLevel = (group: LineGroup, next: LineGroup | undefined) => number | null;

/** Headings differ by size; the lowest level differs only by its font (bold) and is a line of its own. */
export function headingLevels(groups: readonly LineGroup[], style: PageStyle): HeadingLevel {
  const isLarger = (group: LineGroup): boolean =>
    isHeadline(group) && groupFontSize(group) >= style.fontSize * HEADING_SIZE_RATIO;
  const sizes = [...new Set(groups.filter(isLarger).map(groupFontSize))].toSorted(
    (one, other) => other - one,
  );
  const levels = new Map(sizes.map((size, index) => [size, Math.min(index + 1, MAX_SIZE_LEVELS)]));
  return (group, next) => {
    if (isLarger(group)) return levels.get(groupFontSize(group)) ?? null;
    const font = group.lines[0]?.font ?? null;
    const hasOwnFont = font !== null && font !== style.font;
    const precedesText = next !== undefined && isText(next) && next.lines[0]?.font !== font;
    return hasOwnFont && precedesText && isPlainHeadline(group, style)
      ? Math.min(levels.size, MAX_SIZE_LEVELS) + 1
      : null;
  };
}

function groupFontSize(group: LineGroup): number {
  return group.lines[0]?.fontSize ?? 0;
}

function isText(group: LineGroup): boolean {
  return group.kind === 'text' || group.kind === 'item';
}

function groupText(group: LineGroup): string {
  return group.lines.map((line) => line.text).join(' ');
}

function isHeadline(group: LineGroup): boolean {
  const text = groupText(group);
  return (
    isText(group) &&
    group.lines.length <= MAX_HEADING_LINES &&
    text.length <= MAX_HEADING_CHARACTERS &&
    /\p{L}/u.test(text)
  );
}

function isPlainHeadline(group: LineGroup, style: PageStyle): boolean {
  const text = groupText(group);
  const looksLikeText = /[.,;:]$/.test(text) || /^[•‣▪●○◦·–—*-]/.test(text);
  return (
    isHeadline(group) &&
    group.lines.length === 1 &&
    !looksLikeText &&
    text.length <= MAX_BOLD_HEADING_CHARACTERS &&
    groupFontSize(group) >= style.fontSize * 0.95
  );
}

const HYPHENATED = /(?<!\p{L})(\p{L}+)[-\u2010\u00ad]$/u;
const UNSPACED_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。，！？：；]$/u;
const UNSPACED_START =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。，！？：；]/u;

/** Only this much of the joined text is searched for each line: searching all of it would take quadratic time. */
const MAX_WORD_CHARACTERS = 100;

/** Joins printed lines. A hyphen at a line end is removed unless `vocabulary` contains the hyphenated word. */
function joinLines(lines: readonly string[], vocabulary: ReadonlySet<string>): string {
  return lines.reduce((text, line) => {
    if (text === '') return line;
    const tail = text.slice(-MAX_WORD_CHARACTERS);
    const start = HYPHENATED.exec(tail)?.[1];
    const end = /^\p{Ll}+/u.exec(line)?.[0];
    if (start !== undefined && end !== undefined)
      return joinWord(text, line, vocabulary.has(`${start}-${end}`.toLowerCase()));
    return UNSPACED_END.test(tail) && UNSPACED_START.test(line) ? text + line : `${text} ${line}`;
  }, '');
}

function joinWord(text: string, line: string, keepsHyphen: boolean): string {
  return keepsHyphen ? text + line : text.slice(0, -1) + line;
}

/** Returns the words with a hyphen inside a line. */
function hyphenatedWords(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.toLowerCase().match(/(?<!\p{L})\p{L}+-\p{L}+/gu) ?? []));
}
