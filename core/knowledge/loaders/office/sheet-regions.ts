import { DocumentError } from '../../documents/document-error.ts';
import { type BlockCollector, renderTable } from '../block-collector.ts';
import type { Sheet, SheetCell } from './read-sheet.ts';

type Grid = readonly (readonly (SheetCell | null)[])[];

interface Region {
  readonly left: number;
  readonly grid: Grid;
  /** The number of each row of the grid, from 1. */
  readonly numbers: readonly number[];
}

const MAX_CAPTION_CHARACTERS = 80;
const MAX_LABEL_CHARACTERS = 80;
const MAX_CAPTION_ROWS = 5;
/** Positions of a region, filled or not. */
const MAX_AREA = 5_000_000;
const CAPTION_LEVEL = 3;

/**
 * Adds one block for each table of a sheet, with the place of its rows. `name` is null for a file of one sheet. Empty rows
 * and columns separate tables. Throws `too_much_text`.
 */
export function collectSheet(sheet: Sheet, collector: BlockCollector, name: string | null): void {
  let previous: LabelledRegion | null = null;
  for (const region of findRegions(sheet)) {
    const [from = 1] = region.numbers;
    collector.at({ kind: 'rows', sheet: name, from, to: region.numbers.at(-1) ?? from });
    const captions = collectCaptions(region.grid, collector);
    const rows = withoutEmptyColumns(region.grid.slice(captions));
    const notes = countNotes(rows);
    const grid = notes === 0 ? rows : withoutEmptyColumns(rows.slice(0, -notes));
    const width = grid[0]?.length ?? 0;
    if (width === 1) {
      collector.add('paragraph', rows.map((row) => row[0]?.text ?? '').join('\n'));
      continue;
    }
    const headerRows = countHeaderRows(grid);
    // An empty row inside a table: the rows below it have the labels above it.
    const continued = headerRows === 0 && captions === 0 && continues(previous, { left: region.left, grid });
    const labels: readonly string[] =
      continued && previous !== null ? previous.labels : columnLabels(grid.slice(0, headerRows));
    const numbers = region.numbers.slice(captions + headerRows);
    const { text, form } = renderTable(labels, grid.slice(headerRows).map(rowTexts), numbers);
    collector.add('table', text, form);
    for (const note of rows.slice(grid.length)) collector.add('paragraph', rowTexts(note).join(' '));
    previous = { left: region.left, grid: grid.slice(headerRows), numbers, labels };
  }
}

interface LabelledRegion extends Region {
  readonly labels: readonly string[];
}

/** Returns whether rows have the columns of the table above: as many, with texts and numbers in the same ones. */
function continues(above: LabelledRegion | null, { left, grid }: Pick<Region, 'left' | 'grid'>): boolean {
  if (above === null || above.left !== left || above.labels.length !== grid[0]?.length) return false;
  return grid[0].every((cell, column) => {
    const upper = above.grid[0]?.[column] ?? null;
    return cell === null || upper === null || cell.isText === upper.isText;
  });
}

/** A title above a table is often merged over more columns than the table has. */
function withoutEmptyColumns(grid: Grid): Grid {
  const used = (grid[0] ?? []).map((_, column) => grid.some((row) => row[column] !== null));
  return used.every(Boolean) ? grid : grid.map((row) => row.filter((_, column) => used[column]));
}

function findRegions(sheet: Sheet): readonly Region[] {
  const rows = [...sheet]
    .flatMap(([row, { number, cells }]): readonly FilledRow[] =>
      cells.size > 0 ? [[row, cells, number]] : [],
    )
    .sort(([one], [other]) => one - other);
  return splitAtGaps(rows, ([row]) => row).flatMap((band) => splitColumns(band));
}

type FilledRow = readonly [row: number, cells: ReadonlyMap<number, SheetCell>, number: number];

function splitAtGaps<Item>(items: readonly Item[], positionOf: (item: Item) => number): readonly Item[][] {
  const groups: Item[][] = [];
  let last = Number.NaN;
  for (const item of items) {
    const position = positionOf(item);
    if (position === last + 1) groups.at(-1)?.push(item);
    else groups.push([item]);
    last = position;
  }
  return groups;
}

interface ColumnGroup {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function splitColumns(band: readonly FilledRow[]): readonly Region[] {
  const groups = columnGroups(band);
  const [only, ...others] = groups;
  if (only === undefined) return [];
  if (others.length === 0) return [toRegion(band, only)];
  return groups.flatMap((group) => {
    const inside = band.filter(([, cells]) =>
      [...cells.keys()].some((at) => at >= group.left && at <= group.right),
    );
    return splitAtGaps(inside, ([row]) => row).map((part) => toRegion(part, group));
  });
}

/** An empty column between parts of the same rows is a space inside one table. */
function columnGroups(band: readonly FilledRow[]): readonly ColumnGroup[] {
  const extents = new Map<number, { top: number; bottom: number }>();
  for (const [row, cells] of band)
    for (const column of cells.keys()) {
      const extent = extents.get(column);
      if (extent === undefined) extents.set(column, { top: row, bottom: row });
      else extent.bottom = row;
    }
  const columns = [...extents.keys()].sort((one, other) => one - other);
  const groups: ColumnGroup[] = [];
  for (const part of splitAtGaps(columns, (column) => column)) {
    const [left = 0, right = left] = [part[0], part.at(-1)];
    const group = {
      left,
      right,
      top: Math.min(...part.map((column) => extents.get(column)?.top ?? 0)),
      bottom: Math.max(...part.map((column) => extents.get(column)?.bottom ?? 0)),
    };
    const last = groups.at(-1);
    const joined = last?.right === left - 2 && last.top === group.top && last.bottom === group.bottom;
    if (joined && last !== undefined) groups[groups.length - 1] = { ...last, right };
    else groups.push(group);
  }
  return groups;
}

/** Columns without any cell are left out. */
function toRegion(rows: readonly FilledRow[], { left, right }: ColumnGroup): Region {
  const used = new Set<number>();
  for (const [, cells] of rows)
    for (const column of cells.keys()) if (column >= left && column <= right) used.add(column);
  const columns = [...used].sort((one, other) => one - other);
  if (columns.length * rows.length > MAX_AREA)
    throw new DocumentError('too_much_text', `${MAX_AREA.toLocaleString('en')} cells`);
  return {
    ...{ left, numbers: rows.map(([, , number]) => number) },
    grid: rows.map(([, cells]) => columns.map((column) => cells.get(column) ?? null)),
  };
}

/** Adds the titles above a table, and returns the number of their rows. */
function collectCaptions(grid: Grid, collector: BlockCollector): number {
  let count = 0;
  for (const row of grid.slice(0, MAX_CAPTION_ROWS)) {
    const cells = new Set(row.filter((cell) => cell !== null));
    const [cell] = cells;
    const single = grid.length === 1 && row.length === 1;
    if (cell === undefined || cells.size > 1 || !(row.length > 1 || single) || !cell.isText || cell.rows > 1)
      break;
    count += 1;
    if (cell.text.length <= MAX_CAPTION_CHARACTERS && !/[.!?:;]$/.test(cell.text))
      collector.heading(CAPTION_LEVEL, cell.text);
    else collector.add('paragraph', cell.text);
  }
  return count;
}

const MAX_NOTE_ROWS = 5;
const MIN_NOTE_CHARACTERS = 40;
const NOTE = /^(?:[*†‡¹²³]|\(?\d\)|(?:note|notes|source|hinweis|anmerkung|quelle|stand)\b)/i;

/** Returns the number of rows below a table that are remarks: one text in the first column, of another kind than names. */
function countNotes(grid: Grid): number {
  let count = 0;
  for (const row of grid.slice(2).toReversed().slice(0, MAX_NOTE_ROWS)) {
    const [first, ...others] = row;
    const alone = first?.isText === true && others.every((cell) => cell === null || cell === first);
    if (!alone || !(NOTE.test(first.text) || first.text.length >= MIN_NOTE_CHARACTERS)) break;
    count += 1;
  }
  return (grid[0]?.length ?? 0) > 1 ? count : 0;
}

function countHeaderRows(grid: Grid): number {
  const [first] = grid;
  if (first === undefined || grid.length < 2) return 0;
  const spanned = Math.max(1, ...first.map((cell) => cell?.rows ?? 1));
  const grouped = first.some((cell) => (cell?.columns ?? 1) > 1);
  const count = Math.max(spanned, grouped ? 2 : 1);
  if (count >= grid.length) return 0;
  const header = grid.slice(0, count);
  return header.every((row) => looksLikeHeader(row)) && distinct(header) && differs(header, grid.slice(count))
    ? count
    : 0;
}

function looksLikeHeader(row: readonly (SheetCell | null)[]): boolean {
  const filled = row.filter((cell) => cell !== null);
  // The corner above the names of the rows is often empty.
  if (filled.length < row.length - Math.max(1, Math.floor(row.length / 4))) return false;
  return filled.every(
    ({ text, isText }) =>
      text.length <= MAX_LABEL_CHARACTERS &&
      !text.includes('@') &&
      (isText ? /\p{L}/u.test(text) : /^(?:19|20)\d\d$/.test(text)),
  );
}

function distinct(header: Grid): boolean {
  const labels = columnLabels(header).filter((label) => label !== '');
  return new Set(labels).size === labels.length;
}

/** Two columns are as often names and values without a header, so that a header has to differ from what is below it. */
function differs(header: Grid, body: Grid): boolean {
  const [first] = header;
  if (first === undefined) return false;
  if (first.length > 2) return true;
  const bold = (row: readonly (SheetCell | null)[]): boolean => row.every((cell) => cell?.bold === true);
  if (bold(first) && body[0] !== undefined && !bold(body[0])) return true;
  const values = body.map((row) => row[1]).filter((cell) => cell !== null && cell !== undefined);
  const numbers = values.filter(({ isText }) => !isText).length;
  if (numbers > values.length / 2) return true;
  const length = values.reduce((sum, { text }) => sum + text.length, 0) / (values.length || 1);
  return length > 2 * (first[1]?.text.length ?? 0);
}

function columnLabels(header: Grid): readonly string[] {
  return (header[0] ?? []).map((_, column) => {
    const parts = header.map((row) => row[column]?.text ?? '').filter((text) => text !== '');
    return [...new Set(parts)].join(' ');
  });
}

/** A cell that covers several columns appears once, under the first of them. */
function rowTexts(row: readonly (SheetCell | null)[]): readonly string[] {
  return row.map((cell, column) => (cell === null || cell === row[column - 1] ? '' : cell.text));
}
