import type { PdfCell, PdfLine } from './page-lines.ts';

/** The printed lines of each cell, by column. */
export type TableRow = readonly (readonly string[])[];

export interface FoundTable {
  readonly rows: readonly TableRow[];
  /** The lines that the table covers. */
  readonly lines: readonly PdfLine[];
}

interface Column {
  left: number;
  right: number;
}

interface OpenRow {
  readonly cells: string[][];
}

const MAX_TABLE_LINES = 1_000;
const MAX_COLUMNS = 60;
/** After so many lines, prose is given up: reading it to the end for each of its lines would take quadratic time. */
const TRIED_LINES = 20;
const MIN_TABLE_ROWS = 2;
/** The distance in font sizes. */
const MAX_ROW_DISTANCE = 5;
const MAX_LINE_DISTANCE = 1.6;
/** Two columns of prose look like a table with long cells. */
const MAX_MEAN_CELL_CHARACTERS = 32;
const MAX_MEAN_WRAPPED_CHARACTERS = 60;

/**
 * Finds the table that begins at a line with several cells. Its columns are where the cells of its lines overlap. A line
 * without a first cell continues the row above it. Returns null if there is no table.
 */
export function findTable(lines: readonly PdfLine[], index: number): FoundTable | null {
  const first = lines[index];
  if (first === undefined || first.cells.length < 2 || first.cells.length > MAX_COLUMNS) return null;
  const table = new TableReader(first);
  for (const [offset, line] of lines.slice(index + 1, index + MAX_TABLE_LINES).entries())
    if (!table.add(line, lines[index + offset + 2])) break;
  return table.finish();
}

class TableReader {
  readonly #columns: Column[];
  readonly #rows: OpenRow[];
  readonly #lines: PdfLine[];
  #wrapped = 0;

  constructor(first: PdfLine) {
    this.#columns = first.cells.map(({ left, right }) => ({ left, right }));
    this.#rows = [{ cells: first.cells.map(({ text }) => [text]) }];
    this.#lines = [first];
  }

  /** Returns false if the line does not belong to the table. */
  add(line: PdfLine, next: PdfLine | undefined): boolean {
    const previous = this.#lines.at(-1);
    const row = this.#rows.at(-1);
    if (
      previous === undefined ||
      row === undefined ||
      line.page !== previous.page ||
      line.tagged !== undefined
    )
      return false;
    const distance = (previous.y - line.y) / line.fontSize;
    if (distance <= 0 || distance > MAX_ROW_DISTANCE) return false;
    const places = this.#placesOf(line.cells);
    if (places === null) return false;
    if (!this.#isNewRow(places, { line, next, distance })) {
      if (distance > MAX_LINE_DISTANCE) return false;
      this.#continueRow(row, line.cells, places);
    } else this.#startRow(line, places);
    this.#lines.push(line);
    return this.#lines.length !== TRIED_LINES || this.#meanCharacters() <= MAX_MEAN_WRAPPED_CHARACTERS;
  }

  finish(): FoundTable | null {
    const limit = this.#wrapped > 0 ? MAX_MEAN_WRAPPED_CHARACTERS : MAX_MEAN_CELL_CHARACTERS;
    if (this.#rows.length < MIN_TABLE_ROWS || this.#meanCharacters() > limit) return null;
    return { rows: this.#rows.map(({ cells }) => cells), lines: this.#lines };
  }

  #meanCharacters(): number {
    const cells = this.#lines.flatMap((line) => line.cells);
    return cells.reduce((sum, { text }) => sum + text.length, 0) / cells.length;
  }

  #isNewRow(
    places: readonly number[],
    { line, next, distance }: { line: PdfLine; next: PdfLine | undefined; distance: number },
  ): boolean {
    if (places[0] === 0 && places.length > 1) return true;
    if (places[0] === 0) {
      // A name of a group of rows stands alone, above rows of the same columns.
      const wraps = /^\p{Ll}/u.test(line.text) && distance <= MAX_LINE_DISTANCE;
      const follows = next !== undefined && next.page === line.page && next.cells.length > 1;
      return !wraps && follows && this.#placesOf(next.cells) !== null;
    }
    // Rows of which the first cell is empty have values in all others.
    return places.length > 1 && places.length === this.#columns.length - 1;
  }

  /** Returns the column of each cell, or null if the cells do not fit the columns. */
  #placesOf(cells: readonly PdfCell[]): readonly number[] | null {
    const places: number[] = [];
    for (const cell of cells) {
      const touched = this.#columns.flatMap((column, at) =>
        cell.left < column.right && cell.right > column.left ? [at] : [],
      );
      if (touched.length > 1) return null;
      const place = touched[0] ?? this.#nearestColumn(cell);
      if (place <= (places.at(-1) ?? -1)) return null;
      places.push(place);
    }
    return places;
  }

  /** A short cell may stand beside all that its column has so far: numbers at the right, below a label at the left. */
  #nearestColumn({ left, right }: PdfCell): number {
    const distances = this.#columns.map((column) => Math.max(column.left - right, left - column.right));
    return distances.indexOf(Math.min(...distances));
  }

  #startRow(line: PdfLine, places: readonly number[]): void {
    const cells: string[][] = this.#columns.map(() => []);
    this.#rows.push({ cells });
    this.#fill(cells, line.cells, places);
  }

  #continueRow(row: OpenRow, cells: readonly PdfCell[], places: readonly number[]): void {
    this.#wrapped += 1;
    this.#fill(row.cells, cells, places);
  }

  #fill(row: string[][], cells: readonly PdfCell[], places: readonly number[]): void {
    for (const [index, { text, left, right }] of cells.entries()) {
      const place = places[index] ?? 0;
      const column = this.#columns[place];
      row[place]?.push(text);
      if (column === undefined) continue;
      column.left = Math.min(column.left, left);
      column.right = Math.max(column.right, right);
    }
  }
}
