import type { PassageSize, Row } from './passage.ts';

/** A part of a row that is too long for one passage: some of its columns, after those that say which row it is. */
interface RowSlice {
  readonly labels: Row;
  readonly row: Row;
}

interface WideRow extends RowSlice {
  /** Columns, from 0, that every slice repeats. */
  readonly keys: readonly number[];
}

/** A longer cell is text, not a name of the row. */
const MAX_KEY_CHARACTERS = 120;
const MAX_SAMPLE_ROWS = 200;
const RUNNING_NUMBER = /^\d{1,6}\.?$/;

/**
 * Returns the columns that identify a row: the first one that is usually filled. A column of running numbers identifies
 * nothing that people ask for, so the column after it is a key too.
 */
export function keyColumns(labels: Row, rows: readonly Row[]): readonly number[] {
  const sample = rows.slice(0, MAX_SAMPLE_ROWS);
  const width = Math.max(labels.length, ...sample.map((row) => row.length));
  const isFilled = (column: number): boolean =>
    sample.filter((row) => (row[column] ?? '') !== '').length * 2 > sample.length;
  const first = Array.from({ length: width }, (_, column) => column).find(isFilled) ?? 0;
  const isRunning = sample.every((row) => RUNNING_NUMBER.test(row[first] ?? ''));
  return isRunning && first + 1 < width ? [first, first + 1] : [first];
}

/**
 * Cuts a row between its columns, and a long cell between its words. Each slice has the key columns with their labels, as
 * far as the row has a short value in them; otherwise its first short value.
 */
export function sliceRow({ labels, row, keys }: WideRow, size: PassageSize): readonly RowSlice[] {
  const isShort = (cell = ''): boolean => cell !== '' && cell.length <= MAX_KEY_CHARACTERS;
  const usual = keys.filter((column) => isShort(row[column]));
  const shown = usual.length > 0 ? usual : [row.findIndex((cell) => isShort(cell))].filter((at) => at >= 0);
  const cellAt = (column: number): Cell => ({ label: labels[column] ?? '', value: row[column] ?? '' });
  const others = Array.from(row.keys(), cellAt).filter(
    ({ value }, column) => value !== '' && !shown.includes(column),
  );
  return packCells(shown.map(cellAt), others, size).map((cells) => ({
    labels: cells.map(({ label }) => label),
    row: cells.map(({ value }) => value),
  }));
}

/** As `rowLines` joins the values of a row without labels. */
const VALUE_SEPARATOR = ' | ';

/** Cuts a row without labels between its values. Returns null if it has no short first value. */
export function sliceLine(line: string, size: PassageSize): readonly string[] | null {
  const [key, ...values] = line.split(VALUE_SEPARATOR).map((value): Cell => ({ label: '', value }));
  if (key === undefined || values.length === 0 || key.value.length > MAX_KEY_CHARACTERS) return null;
  return packCells([key], values, size).map((cells) => cells.map(({ value }) => value).join(VALUE_SEPARATOR));
}

interface Cell {
  readonly label: string;
  readonly value: string;
}

/** Characters that the lines and rules of a table add to a cell. */
const CELL_CHARACTERS = 12;

/** Groups cells so that each group, with the key before it, fits a passage. Measures each cell once. */
function packCells(
  key: readonly Cell[],
  cells: readonly Cell[],
  { maxCharacters, maxPieces, countPieces }: PassageSize,
): readonly (readonly Cell[])[] {
  const costOf = ({ label, value }: Cell): Cost => ({
    characters: label.length * 2 + value.length + CELL_CHARACTERS,
    pieces: countPieces(`${label}: ${value};`),
  });
  const head = key.map(costOf).reduce(addCost, { characters: 0, pieces: 0 });
  const fits = (cost: Cost): boolean => cost.characters <= maxCharacters && cost.pieces <= maxPieces;
  const groups: Cell[][] = [];
  let used: Cost | null = null;
  for (const cell of cells.flatMap((one) => cutCell(one, (part) => fits(addCost(head, costOf(part)))))) {
    const cost = costOf(cell);
    const together: Cost = addCost(used ?? head, cost);
    const open = groups.at(-1);
    if (open !== undefined && fits(together)) {
      open.push(cell);
      used = together;
    } else {
      groups.push([...key, cell]);
      used = addCost(head, cost);
    }
  }
  return groups.length === 0 ? [key] : groups;
}

interface Cost {
  readonly characters: number;
  readonly pieces: number;
}

function addCost(one: Cost, other: Cost): Cost {
  return { characters: one.characters + other.characters, pieces: one.pieces + other.pieces };
}

const MAX_PIECE_CHARACTERS = 1000;
const MIN_PIECE_CHARACTERS = 20;

/** Cuts a cell that fits no passage, at spaces where it has some, and never inside a surrogate pair. */
function cutCell(cell: Cell, fits: (cell: Cell) => boolean): readonly Cell[] {
  if (fits(cell)) return [cell];
  const { label, value: text } = cell;
  const pieces: Cell[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + MAX_PIECE_CHARACTERS);
    while (end - start > MIN_PIECE_CHARACTERS && !fits({ label, value: text.slice(start, end) }))
      end = start + Math.floor((end - start) * 0.8);
    const cut = end < text.length ? wordEnd(text, start, end) : end;
    const value = text.slice(start, cut).trim();
    if (value !== '') pieces.push({ label, value });
    start = cut;
  }
  return pieces;
}

function wordEnd(text: string, start: number, end: number): number {
  const space = text.lastIndexOf(' ', end);
  if (space > start + (end - start) / 2) return space;
  return /[\udc00-\udfff]/.test(text.charAt(end)) ? end - 1 : end;
}
