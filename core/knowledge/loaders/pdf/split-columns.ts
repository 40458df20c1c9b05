import type { PdfCell, PdfLine } from './page-lines.ts';
import { lineOf } from './page-lines.ts';

/** Lines that both columns must have in common: two cells in fewer lines are a table or a pair of labels. */
const MIN_SHARED_LINES = 3;
/** Prose fills its column and has long lines; the cells of a table do not. */
const MIN_MEAN_CHARACTERS = 18;
const FULL_LINE_SHARE = 0.7;
const MIN_FULL_LINES_SHARE = 0.5;
/** Distance of two lines of one column, in font sizes. */
const MAX_LEADING = 2.2;
/** Columns beside each other. */
const MAX_DEPTH = 4;
/** More lines are no page of columns; the search compares all gaps with each other. */
const MAX_LINES = 1_000;
const MAX_GAPS = 3_000;

/**
 * Puts the lines of a page in reading order where a file draws columns of text line by line: a corridor that stays empty
 * over several lines splits them. Tables and files that draw one column after the other stay as they are.
 */
export function splitColumns(lines: readonly PdfLine[], depth = 0): readonly PdfLine[] {
  if (depth >= MAX_DEPTH || lines.length > MAX_LINES) return lines;
  const corridor = findCorridor(lines);
  if (corridor === null) return lines;
  const ordered: PdfLine[] = [];
  for (let index = 0; index < lines.length; ) {
    const band = bandAt(lines, index, corridor);
    const [left, right] = [sideOf(band, corridor, 'left'), sideOf(band, corridor, 'right')];
    if (areColumns(band, left, right, corridor))
      ordered.push(...splitColumns(left, depth + 1), ...splitColumns(right, depth + 1));
    else ordered.push(...band);
    index += band.length;
  }
  return ordered;
}

/** Returns the middle of the gap that most lines share, or null. */
function findCorridor(lines: readonly PdfLine[]): number | null {
  const gaps = lines.flatMap(({ cells, tagged }) =>
    (tagged === undefined ? cells : []).slice(1).flatMap((cell, index) => {
      const from = cells[index]?.right ?? cell.left;
      return cell.left > from ? [{ from, to: cell.left, middle: (from + cell.left) / 2 }] : [];
    }),
  );
  if (gaps.length > MAX_GAPS) return null;
  let best: { readonly middle: number; readonly count: number } | null = null;
  for (const { middle } of gaps) {
    const count = gaps.filter(({ from, to }) => from <= middle && middle <= to).length;
    if (count >= MIN_SHARED_LINES && count > (best?.count ?? 0)) best = { middle, count };
  }
  return best?.middle ?? null;
}

function crosses({ cells, tagged }: PdfLine, corridor: number): boolean {
  return tagged !== undefined || cells.some(({ left, right }) => left < corridor && right > corridor);
}

function isShared({ left, right, tagged }: PdfLine, corridor: number): boolean {
  return tagged === undefined && left < corridor && right > corridor;
}

/** Returns the lines from `index` on that keep the corridor free, up to the last that belongs to the columns. */
function bandAt(lines: readonly PdfLine[], index: number, corridor: number): readonly PdfLine[] {
  const [first] = lines.slice(index, index + 1);
  if (first === undefined || crosses(first, corridor) || !isShared(first, corridor))
    return lines.slice(index, index + 1);
  let end = index + 1;
  for (let at = end; at < lines.length; at += 1) {
    const line = lines[at];
    const before = lines[at - 1];
    if (line === undefined || before === undefined || crosses(line, corridor) || line.y > before.y) break;
    if (isShared(line, corridor) || continuesColumn(lines.slice(index, end), line, corridor)) end = at + 1;
  }
  return lines.slice(index, end);
}

/** The longer of two columns goes on below the other, at the distance of its lines. */
function continuesColumn(band: readonly PdfLine[], line: PdfLine, corridor: number): boolean {
  const isLeft = line.right <= corridor;
  const above = band.findLast(({ left, right }) => (isLeft ? left < corridor : right > corridor));
  return (
    above !== undefined &&
    above.fontSize === line.fontSize &&
    above.y - line.y <= MAX_LEADING * line.fontSize &&
    band.at(-1) === above
  );
}

function sideOf(band: readonly PdfLine[], corridor: number, side: 'left' | 'right'): readonly PdfLine[] {
  return band.flatMap((line) => {
    const cells = line.cells.filter(({ left }) => left < corridor === (side === 'left'));
    return cells.length === 0 ? [] : [cells.length === line.cells.length ? line : lineOf(line, cells)];
  });
}

function areColumns(
  band: readonly PdfLine[],
  left: readonly PdfLine[],
  right: readonly PdfLine[],
  corridor: number,
): boolean {
  return (
    band.filter((line) => isShared(line, corridor)).length >= MIN_SHARED_LINES &&
    isProse(left) &&
    isProse(right)
  );
}

function isProse(lines: readonly PdfLine[]): boolean {
  const cells = lines.flatMap((line): readonly PdfCell[] => line.cells);
  const characters = cells.reduce((sum, { text }) => sum + text.length, 0);
  const widths = lines.map(({ left, right }) => right - left);
  const full = Math.max(...widths) * FULL_LINE_SHARE;
  return (
    characters >= cells.length * MIN_MEAN_CHARACTERS &&
    widths.filter((width) => width >= full).length >= lines.length * MIN_FULL_LINES_SHARE
  );
}
