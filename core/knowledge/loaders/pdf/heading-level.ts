import type { LineGroup } from './group-lines.ts';
import type { PageStyle } from './page-style.ts';

const LARGER = 1.12;
const MAX_LINES = 3;
const MAX_CHARACTERS = 200;
const MAX_PLAIN_CHARACTERS = 100;
const MAX_SIZES = 5;

/** Tells the level of a heading, 1 the outermost, or null for other text. */
export type HeadingLevel = (group: LineGroup, next: LineGroup | undefined) => number | null;

/** Headings stand out by size, and below those by a font of their own (bold) on a line of their own. */
export function headingLevels(groups: readonly LineGroup[], style: PageStyle): HeadingLevel {
  const isLarger = (group: LineGroup): boolean =>
    isHeadline(group) && sizeOf(group) >= style.fontSize * LARGER;
  const sizes = [...new Set(groups.filter(isLarger).map(sizeOf))].toSorted((one, other) => other - one);
  const levels = new Map(sizes.map((size, index) => [size, Math.min(index + 1, MAX_SIZES)]));
  return (group, next) => {
    if (isLarger(group)) return levels.get(sizeOf(group)) ?? null;
    const font = group.lines[0]?.font ?? null;
    const special = font !== null && font !== style.font;
    const leads = next !== undefined && isText(next) && next.lines[0]?.font !== font;
    return special && leads && isPlainHeadline(group, style) ? Math.min(levels.size, MAX_SIZES) + 1 : null;
  };
}

function sizeOf(group: LineGroup): number {
  return group.lines[0]?.fontSize ?? 0;
}

function isText(group: LineGroup): boolean {
  return group.kind === 'text' || group.kind === 'item';
}

function textOf(group: LineGroup): string {
  return group.lines.map((line) => line.text).join(' ');
}

function isHeadline(group: LineGroup): boolean {
  const text = textOf(group);
  return (
    isText(group) && group.lines.length <= MAX_LINES && text.length <= MAX_CHARACTERS && /\p{L}/u.test(text)
  );
}

function isPlainHeadline(group: LineGroup, style: PageStyle): boolean {
  const text = textOf(group);
  const complete = /[.,;:]$/.test(text) || /^[•‣▪●○◦·–—*-]/.test(text);
  return (
    isHeadline(group) &&
    group.lines.length === 1 &&
    !complete &&
    text.length <= MAX_PLAIN_CHARACTERS &&
    sizeOf(group) >= style.fontSize * 0.95
  );
}
