import { CsvError, parse } from 'csv-parse/sync';
import { dedent, indentedEnd, type MarkupLine, rawText } from './markup-lines.ts';

export interface MarkupTable {
  readonly labels: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const MAX_COLUMNS = 200;

/** Reads a table drawn with `+---+`. A line of `=` ends its header. Cells over several columns count for the first. */
export function readGridTable(lines: readonly MarkupLine[]): MarkupTable {
  const [border = ''] = lines.map(({ text }) => text);
  const edges = [...border.matchAll(/\+/g)].map(({ index }) => index).slice(0, MAX_COLUMNS);
  const rows: string[][] = [];
  let headers = 0;
  let open: string[] | null = null;
  for (const { text } of lines) {
    if (text.startsWith('+')) {
      if (open !== null) rows.push(open);
      open = null;
      if (text.includes('=')) headers = rows.length;
      continue;
    }
    open ??= edges.slice(1).map(() => '');
    const cells = edges.slice(1).map((edge, index) => text.slice((edges[index] ?? 0) + 1, edge));
    open = addCells(
      open,
      cells.map((cell) => cell.replace(/[|]/g, ' ')),
    );
  }
  return withHeader(rows, headers);
}

/** Reads a table whose columns are the parts of a line of `=`. A row without a first cell continues the one above. */
export function readSimpleTable(lines: readonly MarkupLine[]): MarkupTable {
  const [first, ...others] = lines;
  const starts = [...(first?.raw ?? '').matchAll(/=+/g)].map(({ index }) => index).slice(0, MAX_COLUMNS);
  const rows: string[][] = [];
  let headers = 0;
  for (const { raw, text } of others) {
    if (text === '' || /^-+(?:\s+-+)*$/.test(text)) continue;
    if (/^=+(?:\s+=+)*$/.test(text)) {
      headers ||= rows.length;
      continue;
    }
    const cells = starts.map((start, index) => raw.slice(start, starts[index + 1]).trim());
    const above = rows.at(-1);
    if (cells[0] === '' && above !== undefined && rows.length !== headers)
      rows[rows.length - 1] = addCells(above, cells);
    else rows.push(cells);
  }
  // The last border is no header.
  return withHeader(rows, headers === rows.length ? 0 : headers);
}

function addCells(row: readonly string[], cells: readonly string[]): string[] {
  return row.map((cell, column) => `${cell} ${cells[column]?.trim() ?? ''}`.trim());
}

function withHeader(rows: readonly (readonly string[])[], headers: number): MarkupTable {
  const head = rows.slice(0, headers);
  const labels = (head[0] ?? []).map((_, column) =>
    head
      .map((row) => row[column] ?? '')
      .filter((cell) => cell !== '')
      .join(' '),
  );
  return { labels, rows: rows.slice(headers) };
}

interface ListTableOptions {
  readonly headers: number;
  /** The labels of a `csv-table` as a line of CSV. */
  readonly header: string | null;
}

/** Reads the content of `list-table` (a list of lists) or of `csv-table`. */
export function readListTable(
  name: string,
  content: readonly MarkupLine[],
  { headers, header }: ListTableOptions,
): MarkupTable {
  if (name === 'csv-table') {
    const labels = header === null ? [] : (parseCsv(header)[0] ?? []);
    const rows = parseCsv(rawText(content));
    return labels.length > 0 ? { labels, rows } : withHeader(rows, headers);
  }
  const rows = itemsOf(content, /^\*\s+/).map((item) =>
    itemsOf(item, /^-(?:\s+|$)/).map((cell) =>
      cell
        .map(({ text }) => text)
        .join(' ')
        .trim(),
    ),
  );
  return withHeader(rows, headers);
}

/** Returns the content of each item, with its marker replaced by spaces. */
function itemsOf(lines: readonly MarkupLine[], marker: RegExp): readonly (readonly MarkupLine[])[] {
  const items: (readonly MarkupLine[])[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const mark = line === undefined ? undefined : marker.exec(line.text)?.[0];
    if (line === undefined || mark === undefined) {
      at += 1;
      continue;
    }
    const end = indentedEnd(lines, at + 1, line.indent + 1);
    const text = line.text.slice(mark.length);
    const indent = line.indent + mark.length;
    const first = { indent, text, raw: ' '.repeat(indent) + text };
    items.push(dedent([first, ...lines.slice(at + 1, end)]));
    at = end;
  }
  return items;
}

function parseCsv(text: string): readonly (readonly string[])[] {
  try {
    return parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    if (error instanceof CsvError) return [[text]];
    throw error;
  }
}
