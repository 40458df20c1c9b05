import type { Table as MarkdownTable, TableCell } from 'mdast';
import stringWidth from 'string-width';
import type { Block, CodeBlock, Span, Table } from './block.ts';
import { type Definitions, readSpans } from './read-spans.ts';

interface Context {
  readonly definitions: Definitions;
  readonly tableColumns: number;
  readonly quoted: boolean;
}

/** As letters of one width in aligned columns where it is narrow; otherwise a line for each row, that names its columns. */
export function readTable(node: MarkdownTable, context: Context): readonly Block[] {
  const rows = node.children.map((row) =>
    row.children.map((cell: TableCell) => readSpans(cell.children, {}, context.definitions)),
  );
  const cells = rows.map((row) => row.map(textOf));
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? '')))) ?? [];
  const width = widths.reduce((sum, one) => sum + one, 3 * (widths.length - 1));
  const [header = [], ...below] = rows;
  const table = { align: header.map((_, column) => node.align?.[column] ?? null), header, rows: below };
  const hasLinks = rows.flat(2).some(({ style }) => style.link !== undefined);
  return width <= context.tableColumns && !hasLinks
    ? [{ ...aligned(cells, widths, context), table }]
    : asLines(table, context);
}

function aligned(
  cells: readonly (readonly string[])[],
  widths: readonly number[],
  { quoted }: Context,
): CodeBlock {
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => padded(row[column] ?? '', width))
      .join(' | ')
      .trimEnd();
  const [header = [], ...rows] = cells;
  const rule = widths.map((width) => '-'.repeat(width)).join('-+-');
  const text = [line(header), rule, ...rows.map(line)].join('\n');
  return { kind: 'code', language: null, text, quoted, tight: false };
}

/** `padEnd` counts halves of characters, not columns. */
function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

function asLines(table: Table, { quoted }: Context): readonly Block[] {
  return table.rows.map((row, index) => ({
    kind: 'text',
    heading: null,
    prefix: '• ',
    quoted,
    tight: index > 0,
    spans: row.flatMap((cell, column) => cellOfLine(cell, column, table.header[column] ?? [])),
    row: { table, index },
  }));
}

function cellOfLine(cell: readonly Span[], column: number, name: readonly Span[]): readonly Span[] {
  if (cell.length === 0) return [];
  if (column === 0) return cell.map(({ text, style }) => ({ text, style: { ...style, bold: true } }));
  const label = textOf(name);
  return [{ text: label === '' ? '; ' : `; ${label}: `, style: {} }, ...cell];
}

function textOf(spans: readonly Span[]): string {
  return spans
    .map(({ text }) => text)
    .join('')
    .replaceAll(/\s+/g, ' ');
}
