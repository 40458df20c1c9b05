import { DocumentError } from '../../documents/document-error.ts';
import { BlockCollector } from '../block-collector.ts';
import { type LoadedDocument, type LoadingLimits, requireReadableText } from '../loader.ts';
import { detectTitle } from '../metadata.ts';
import { isGivenName } from './load-xlsx.ts';
import { PackageParts } from './package-parts.ts';
import { cleanCell, requireFewCells, type Sheet, type SheetCell } from './read-sheet.ts';
import { elementsOf, findAll, findChild, textOf, type XmlElement } from './read-xml.ts';
import { collectSheet } from './sheet-regions.ts';

const SHEET_LEVEL = 2;
const MAX_COLUMNS = 16_384;
const MAX_ROWS = 1_048_576;
/** Filled cells and rows that repeat are few; empty ones fill the sheet to its edge. */
const MAX_FILLED_REPETITIONS = 1_000;
const HIDDEN = /^(?:collapse|filter)$/;
const ROW_GROUPS = new Set(['table-rows', 'table-row-group', 'table-header-rows']);

/** Reads an OpenDocument spreadsheet: one block per table, under the name of its sheet. Rejects with a DocumentError. */
export async function loadOds(bytes: Uint8Array, limits: LoadingLimits): Promise<LoadedDocument> {
  const parts = await PackageParts.unpack(bytes, 'This OpenDocument spreadsheet', limits, (name) =>
    /\.xml$/.test(name),
  );
  const encrypted = findAll(parts.parse('META-INF/manifest.xml'), 'encryption-data').length > 0;
  if (encrypted) throw new DocumentError('encrypted_file', parts.what);
  const content = parts.require('content.xml');
  const styles = readStyles(content);
  const collector = new BlockCollector(limits);
  const counts = { cells: 0, characters: 0 };
  for (const table of elementsOf(findChild(content, 'body', 'spreadsheet'), 'table')) {
    if (styles.hidden.has(table.attributes['table:style-name'] ?? '')) continue;
    const name = table.attributes['table:name'] ?? '';
    const sheet = readTable(table, styles.bold, (text) => {
      counts.cells += 1;
      counts.characters += text.length;
      requireFewCells(counts.cells);
      requireReadableText(counts.characters, limits);
    });
    collector.close(SHEET_LEVEL);
    if (sheet.size > 0 && isGivenName(name)) collector.heading(SHEET_LEVEL, name);
    collectSheet(sheet, collector, name);
  }
  return detectTitle(collector, { title: parts.propertyTitle('meta.xml'), url: null });
}

interface Styles {
  /** Of cells in bold type. */
  readonly bold: ReadonlySet<string>;
  /** The names of sheets that are not shown. */
  readonly hidden: ReadonlySet<string>;
}

function readStyles(content: XmlElement): Styles {
  const bold = new Set<string>();
  const hidden = new Set<string>();
  for (const style of elementsOf(findChild(content, 'automatic-styles'), 'style')) {
    const name = style.attributes['style:name'] ?? '';
    if (findChild(style, 'text-properties')?.attributes['fo:font-weight'] === 'bold') bold.add(name);
    if (findChild(style, 'table-properties')?.attributes['table:display'] === 'false') hidden.add(name);
  }
  return { bold, hidden };
}

function readTable(table: XmlElement, bold: ReadonlySet<string>, count: (text: string) => void): Sheet {
  const sheet = new Map<number, { readonly number: number; readonly cells: Map<number, SheetCell> }>();
  let position = 0;
  let number = 1;
  for (const row of rowsOf(table)) {
    if (number > MAX_ROWS) break;
    const repeated = repetitions(row.attributes['table:number-rows-repeated'], MAX_ROWS);
    const isHidden = HIDDEN.test(row.attributes['table:visibility'] ?? '');
    for (let copy = 0; copy < (isHidden ? 0 : Math.min(repeated, MAX_FILLED_REPETITIONS)); copy += 1) {
      const cells = readRow(row, bold, count);
      if (cells.size === 0) break;
      sheet.set(position + copy, { number: number + copy, cells });
    }
    number += repeated;
    if (!isHidden) position += repeated;
  }
  spreadAll(sheet);
  return sheet;
}

function rowsOf(parent: XmlElement): readonly XmlElement[] {
  return elementsOf(parent).flatMap((element) => {
    if (ROW_GROUPS.has(element.name)) return rowsOf(element);
    return element.name === 'table-row' ? [element] : [];
  });
}

function spreadAll(sheet: ReadonlyMap<number, { readonly cells: Map<number, SheetCell> }>): void {
  for (const [row, { cells }] of sheet)
    for (const [column, cell] of cells)
      if (cell.rows > 1 || cell.columns > 1) spread(sheet, { row, column, cell });
}

/** A merged area larger than this is a decoration. */
const MAX_MERGED_CELLS = 10_000;

/** A cell that covers several rows counts for each of them, so that each row makes sense alone. */
function spread(
  sheet: ReadonlyMap<number, { readonly cells: Map<number, SheetCell> }>,
  { row, column, cell }: { readonly row: number; readonly column: number; readonly cell: SheetCell },
): void {
  if (cell.rows * cell.columns > MAX_MERGED_CELLS || sheet.get(row)?.cells.get(column - 1) === cell) return;
  for (let at = row; at < row + cell.rows; at += 1) {
    const cells = sheet.get(at)?.cells;
    for (let side = column; side < column + cell.columns; side += 1)
      if (cells !== undefined && !cells.has(side)) cells.set(side, cell);
  }
}

function readRow(
  row: XmlElement,
  bold: ReadonlySet<string>,
  count: (text: string) => void,
): Map<number, SheetCell> {
  const cells = new Map<number, SheetCell>();
  let column = 0;
  for (const element of elementsOf(row)) {
    if (element.name !== 'table-cell' && element.name !== 'covered-table-cell') continue;
    const { attributes } = element;
    const repeated = repetitions(attributes['table:number-columns-repeated'], MAX_COLUMNS);
    const text = cleanCell(elementsOf(element, 'p').map(textOf).join(' '));
    const isText = ['string', undefined].includes(attributes['office:value-type']);
    const filled = text === '' ? 0 : Math.min(repeated, MAX_FILLED_REPETITIONS, MAX_COLUMNS - column);
    for (let copy = 0; copy < filled; copy += 1) {
      count(text);
      cells.set(column + copy, {
        ...{ text, isText, bold: bold.has(attributes['table:style-name'] ?? '') },
        columns: repetitions(attributes['table:number-columns-spanned'], MAX_COLUMNS),
        rows: repetitions(attributes['table:number-rows-spanned'], MAX_ROWS),
      });
    }
    column += repeated;
  }
  return cells;
}

function repetitions(value: string | undefined, most: number): number {
  return Math.min(most, Math.max(1, Math.trunc(Number(value ?? 1)) || 1));
}
