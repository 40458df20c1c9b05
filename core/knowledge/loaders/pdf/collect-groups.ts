import { joinPlaces, type Place } from '../../../contract/answer.ts';
import type { BlockCollector } from '../block-collector.ts';
import { addTable, type PrintedTable } from './add-table.ts';
import type { LineGroup, PageStyle } from './group-lines.ts';
import { hyphenatedWords, joinLines } from './join-lines.ts';

const BULLET = /^[•‣▪●○◦·–—*\p{Co}-]\s+/u;

/** Passes the groups of a document to the collector as headings, paragraphs, lists, tables and code. */
export function collectGroups(
  groups: readonly LineGroup[],
  headingLevel: HeadingLevel,
  collector: BlockCollector,
): void {
  const vocabulary = hyphenatedWords(groups.flatMap((group) => group.lines.map((line) => line.text)));
  let items: string[] = [];
  let listPlace: Place | null = null;
  const flushItems = (): void => {
    if (listPlace !== null) collector.at(listPlace);
    listPlace = null;
    collector.add('list', items.join('\n'));
    items = [];
  };
  let table: { readonly printed: PrintedTable; readonly page: number } | null = null;
  groups.forEach((group, index) => {
    const page = group.lines[0]?.page ?? 0;
    const place: Place = { kind: 'page', from: page + 1, to: (group.lines.at(-1)?.page ?? page) + 1 };
    const level = headingLevel(group, groups[index + 1]);
    const text = joinLines(
      group.lines.map((line) => line.text),
      vocabulary,
    );
    if (group.kind === 'item' && level === null) {
      items.push(text.replace(BULLET, '- '));
      listPlace = joinPlaces(listPlace, place);
      return;
    }
    flushItems();
    collector.at(place);
    if (level !== null) collector.heading(level, text);
    else if (group.kind === 'table') {
      const isNext = groups[index - 1]?.kind === 'table' && table?.page === page - 1;
      const above = isNext && table !== null ? table.printed : null;
      table = { printed: addTable(group, collector, { above, vocabulary }), page };
    } else if (group.kind === 'code') collector.add('code', codeText(group));
    else collector.add('paragraph', text);
  });
  flushItems();
}

/** Restores indentation from the left edge of each line. Monospace characters are about 0.6 font sizes wide. */
function codeText({ lines }: LineGroup): string {
  const margin = Math.min(...lines.map((line) => line.left));
  return lines
    .map(
      (line) =>
        ' '.repeat(Math.round((line.left - margin) / (0.6 * line.fontSize))) +
        line.cells.map((cell) => cell.text).join('  '),
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
