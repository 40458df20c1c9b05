import { DocumentError } from '../../documents/document-error.ts';
import { type LoadingLimits, requireReadableText } from '../loader.ts';
import type { CellStyles } from './number-formats.ts';
import { readXml } from './read-xml.ts';

/** A filled cell of a sheet. */
export interface SheetCell {
  readonly text: string;
  /** False for numbers, dates and truth values. */
  readonly isText: boolean;
  readonly bold: boolean;
  /** Columns and rows that it covers. */
  columns: number;
  rows: number;
}

/** Filled rows by position, from 0, without what is hidden. */
export type Sheet = ReadonlyMap<number, SheetRow>;

export interface SheetRow {
  /** As the program numbers it, from 1. */
  readonly number: number;
  /** Filled cells by column, from 0. */
  readonly cells: ReadonlyMap<number, SheetCell>;
}

interface Span {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export interface SheetSource {
  readonly what: string;
  readonly sharedStrings: readonly string[];
  readonly styles: CellStyles;
  readonly limits: Pick<LoadingLimits, 'maxTextCharacters'>;
}

/** Excel's limits. */
const MAX_COLUMNS = 16_384;
const MAX_ROWS = 1_048_576;
const MAX_FILLED_CELLS = 1_000_000;
/** A merged area larger than this is a decoration. */
const MAX_MERGED_CELLS = 10_000;

/** Throws `too_much_text` for more filled cells than a sheet may have. */
export function requireFewCells(filled: number): void {
  if (filled > MAX_FILLED_CELLS)
    throw new DocumentError('too_much_text', `${MAX_FILLED_CELLS.toLocaleString('en')} cells`);
}

/** Reads a worksheet part. Throws `corrupt_file` or `too_much_text`. */
export function readSheet(bytes: Uint8Array, source: SheetSource): Sheet {
  const reader = new SheetReader(source);
  readXml(bytes, source.what, reader);
  return reader.finish();
}

class SheetReader {
  readonly #source: SheetSource;
  readonly #rows = new Map<number, Map<number, SheetCell>>();
  readonly #hiddenColumns = new Set<number>();
  readonly #hiddenRows = new Set<number>();
  readonly #merged: Span[] = [];
  #row = -1;
  #column = -1;
  #rowHidden = false;
  #cell: Readonly<Record<string, string>> | null = null;
  #value = '';
  /** The element whose text is the value of the cell: `v`, or `t` of an inline string. */
  #inValue = false;
  #phonetic = 0;
  #filled = 0;
  #characters = 0;

  constructor(source: SheetSource) {
    this.#source = source;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') this.#openRow(attributes);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'rPh') this.#phonetic += 1;
    else if (name === 'v' || name === 't') this.#inValue = this.#cell !== null && this.#phonetic === 0;
    else if (name === 'col' && isTrue(attributes.hidden)) this.#hideColumns(attributes);
    else if (name === 'mergeCell') this.#merge(attributes.ref ?? '');
  }

  text(text: string): void {
    if (this.#inValue) this.#value += text;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#inValue = false;
    else if (name === 'rPh') this.#phonetic -= 1;
    else if (name === 'c') this.#closeCell();
  }

  /** Leaves hidden columns out, closes the gaps that hidden rows and columns leave, and applies merged areas. */
  finish(): Sheet {
    for (const span of this.#merged) this.#applyMerge(span);
    const shownColumn = shift(this.#hiddenColumns);
    const shownRow = shift(this.#hiddenRows);
    return new Map(
      [...this.#rows].map(([row, cells]) => [
        shownRow(row),
        {
          number: row + 1,
          cells:
            this.#hiddenColumns.size === 0
              ? cells
              : new Map(
                  [...cells]
                    .filter(([column]) => !this.#hiddenColumns.has(column))
                    .map(([column, cell]) => [shownColumn(column), cell]),
                ),
        },
      ]),
    );
  }

  #openRow(attributes: Readonly<Record<string, string>>): void {
    this.#row = attributes.r === undefined ? this.#row + 1 : Number(attributes.r) - 1;
    this.#column = -1;
    this.#rowHidden = isTrue(attributes.hidden);
    if (this.#rowHidden && this.#row >= 0 && this.#row < MAX_ROWS) this.#hiddenRows.add(this.#row);
  }

  #openCell(attributes: Readonly<Record<string, string>>): void {
    this.#column = columnOf(attributes.r ?? '') ?? this.#column + 1;
    this.#cell = attributes;
    this.#value = '';
  }

  #closeCell(): void {
    const cell = this.#cell;
    this.#cell = null;
    const inside = this.#row >= 0 && this.#row < MAX_ROWS && this.#column >= 0 && this.#column < MAX_COLUMNS;
    if (cell === null || this.#value === '' || this.#rowHidden || !inside) return;
    const text = this.#shownValue(cell);
    if (text === '') return;
    this.#filled += 1;
    this.#characters += text.length;
    requireReadableText(this.#characters, this.#source.limits);
    requireFewCells(this.#filled);
    const row = this.#rows.get(this.#row) ?? new Map<number, SheetCell>();
    this.#rows.set(this.#row, row);
    row.set(this.#column, {
      text,
      isText: ['s', 'str', 'inlineStr'].includes(cell.t ?? ''),
      bold: this.#source.styles.isBold(cell.s),
      columns: 1,
      rows: 1,
    });
  }

  #shownValue({ t, s }: Readonly<Record<string, string>>): string {
    switch (t) {
      case 's':
        return this.#source.sharedStrings[Number(this.#value)] ?? '';
      case 'str':
      case 'inlineStr':
        return cleanCell(this.#value);
      case 'b':
        return this.#value === '1' ? 'TRUE' : 'FALSE';
      case 'e':
        return '';
      case 'd':
        return this.#value.replace(/T00:00:00(?:\.0+)?Z?$/, '');
      default:
        return cleanCell(this.#source.styles.show(this.#value, s));
    }
  }

  #hideColumns({ min, max }: Readonly<Record<string, string>>): void {
    for (let column = Math.max(1, Number(min)); column <= Math.min(MAX_COLUMNS, Number(max)); column += 1)
      this.#hiddenColumns.add(column - 1);
  }

  #merge(reference: string): void {
    const [first = '', last = ''] = reference.split(':');
    const [left, right] = [columnOf(first), columnOf(last)];
    const [top, bottom] = [rowOf(first), rowOf(last)];
    if (left === null || right === null || top === null || bottom === null) return;
    if ((right - left + 1) * (bottom - top + 1) <= MAX_MERGED_CELLS)
      this.#merged.push({ top, left, bottom, right });
  }

  /** A cell that covers several rows counts for each of them, so that each row makes sense alone. */
  #applyMerge({ top, left, bottom, right }: Span): void {
    const cell = this.#rows.get(top)?.get(left);
    if (cell === undefined || cell.columns > 1 || cell.rows > 1) return;
    const between = (limit: number, hidden: ReadonlySet<number>, from: number): number =>
      Array.from({ length: limit - from + 1 }, (_, index) => from + index).filter((at) => !hidden.has(at))
        .length;
    cell.columns = between(right, this.#hiddenColumns, left);
    cell.rows = between(bottom, this.#hiddenRows, top);
    for (let row = top; row <= bottom; row += 1) {
      const cells = this.#rows.get(row);
      if (cells === undefined) continue;
      for (let column = left; column <= right; column += 1) if (!cells.has(column)) cells.set(column, cell);
    }
  }
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** Returns a function that gives the position of a row or column among those that are shown. */
function shift(hidden: ReadonlySet<number>): (position: number) => number {
  const sorted = [...hidden].sort((one, other) => one - other);
  return (position) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return position - low;
  };
}

function columnOf(reference: string): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function rowOf(reference: string): number | null {
  const digits = /\d{1,7}$/.exec(reference)?.[0];
  return digits === undefined ? null : Number(digits) - 1;
}

const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** Replaces Excel's escapes of control characters (`_x000D_`), and white space. */
export function cleanCell(text: string): string {
  return text
    .replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\s+/g, ' ')
    .trim();
}
