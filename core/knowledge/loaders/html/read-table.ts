import type { Row } from '../../passage.ts';
import { type RenderedTable, renderTable } from '../block-collector.ts';
import {
  countTextCharacters,
  findElement,
  getAttribute,
  type HtmlElement,
  type HtmlParent,
  isElement,
} from './parse-html.ts';

const LAYOUT_ROLES = new Set(['presentation', 'none']);
const SECTIONS = new Set(['thead', 'tbody', 'tfoot']);
const MAX_HEADER_CHARACTERS = 60;

/** Returns whether a table only serves layout: it contains headings or other tables, or has a single column. */
export function isLayoutTable(table: HtmlElement): boolean {
  if (LAYOUT_ROLES.has(getAttribute(table, 'role') ?? '')) return true;
  if (findElement(table, ({ tagName }) => tagName === 'table' || /^h[1-6]$/.test(tagName)) !== null)
    return true;
  return tableRows(table).every((row) => rowCells(row).length <= 1);
}

/** Reads a table: its cells by column, and lines that make sense alone (`Country: Norway; Delivery: 3 days`). */
export function readTable(table: HtmlElement, linesOf: (parent: HtmlParent) => string[]): RenderedTable {
  const rows = tableRows(table);
  const grid = buildTableGrid(rows.map(rowCells), linesOf);
  const headerCount = countHeaderRows(rows, grid);
  return renderTable(columnLabels(grid.slice(0, headerCount)), grid.slice(headerCount).map(mergeSpans));
}

function tableRows(table: HtmlElement): HtmlElement[] {
  return table.childNodes.filter(isElement).flatMap((element) => {
    if (element.tagName === 'tr') return [element];
    return SECTIONS.has(element.tagName) ? tableRows(element) : [];
  });
}

function rowCells(row: HtmlElement): HtmlElement[] {
  return row.childNodes.filter(isElement).filter(({ tagName }) => tagName === 'td' || tagName === 'th');
}

function countHeaderRows(rows: readonly HtmlElement[], grid: readonly (readonly Cell[])[]): number {
  const first = rows.findIndex((row) => !isHeaderRow(row));
  if (first > 0) return first;
  return rows.length > 1 && first === 0 && looksLikeHeader(rows[0], grid[0]) ? 1 : 0;
}

function isHeaderRow(row: HtmlElement): boolean {
  const parent = row.parentNode;
  if (parent !== null && 'tagName' in parent && parent.tagName === 'thead') return true;
  const cells = rowCells(row);
  return cells.length > 1 && cells.every(({ tagName }) => tagName === 'th');
}

/** Word processors rarely mark header rows: a row counts as one if it is bold or, in wide tables, short and plain. */
function looksLikeHeader(row: HtmlElement | undefined, cells: readonly Cell[] | undefined): boolean {
  if (row === undefined || cells === undefined) return false;
  const texts = cells.map(({ text }) => text);
  const short = texts.every(
    (text) => text !== '' && text.length <= MAX_HEADER_CHARACTERS && !/^[\d\W]+$/u.test(text),
  );
  if (!short || new Set(texts).size < texts.length) return false;
  return cells.length > 2 || rowCells(row).every(isBold);
}

function isBold(cell: HtmlElement): boolean {
  const bold = findElement(cell, ({ tagName }) => tagName === 'strong' || tagName === 'b');
  return bold !== null && countTextCharacters(bold) === countTextCharacters(cell);
}

function columnLabels(headerRows: readonly (readonly Cell[])[]): readonly string[] {
  const width = Math.max(0, ...headerRows.map((row) => row.length));
  return Array.from({ length: width }, (_, column) => {
    const parts = headerRows.map((row) => row[column]?.text ?? '').filter((text) => text !== '');
    return [...new Set(parts)].join(' ');
  });
}

/** A cell that spans several columns appears once, under the first of them. */
function mergeSpans(row: readonly Cell[]): Row {
  return row.map((cell, column) => (cell === row[column - 1] ? '' : cell.text));
}

/** Every position that a cell spans refers to the same object. */
interface Cell {
  readonly text: string;
}

interface OpenSpan {
  readonly cell: Cell;
  rows: number;
}

const MAX_COLUMNS = 200;

/** Returns the cells of a table by row and column, with spans filled in. */
function buildTableGrid(
  rows: readonly (readonly HtmlElement[])[],
  linesOf: (parent: HtmlParent) => string[],
): readonly (readonly Cell[])[] {
  const open: (OpenSpan | undefined)[] = [];
  return rows.map((elements) => {
    const row: Cell[] = [];
    const fillSpans = (): void => {
      for (let span = open[row.length]; span !== undefined && span.rows > 0; span = open[row.length]) {
        span.rows -= 1;
        row.push(span.cell);
      }
    };
    for (const element of elements) {
      fillSpans();
      const cell = { text: cellText(linesOf(element)) };
      const columns = Math.min(readSpan(element, 'colspan'), MAX_COLUMNS - row.length);
      for (let count = 0; count < columns; count += 1) {
        open[row.length] = { cell, rows: readSpan(element, 'rowspan') - 1 };
        row.push(cell);
      }
    }
    fillSpans();
    return row;
  });
}

function readSpan(element: HtmlElement, name: 'colspan' | 'rowspan'): number {
  return Math.max(1, Number.parseInt(getAttribute(element, name) ?? '1', 10) || 1);
}

function cellText(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim().replace(/^- /, ''))
    .filter((line) => !line.startsWith('```'))
    .reduce(
      (text, line) => (text === '' || /[.,:;!?]$/.test(text) ? `${text} ${line}` : `${text}; ${line}`),
      '',
    )
    .trim();
}
