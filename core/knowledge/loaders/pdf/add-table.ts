import { type BlockCollector, renderTable } from '../block-collector.ts';
import type { LineGroup } from './group-lines.ts';
import { joinLines } from './join-lines.ts';

export interface PrintedTable {
  readonly labels: readonly string[];
  readonly width: number;
  readonly left: number;
}

interface TableContext {
  /** The table that ends the page before. */
  readonly above: PrintedTable | null;
  /** The words that keep their hyphen: `hyphenatedWords`. */
  readonly vocabulary: ReadonlySet<string>;
}

/** In points. */
const MAX_SHIFT = 6;

/** Adds a table. The labels of the page before also hold for its rows at the top of the next page. */
export function addTable(
  group: LineGroup,
  collector: BlockCollector,
  { above, vocabulary }: TableContext,
): PrintedTable {
  const rows = (group.rows ?? []).map((row) => row.map((cell) => joinLines(cell, vocabulary)));
  const [header = [], ...others] = rows;
  const left = Math.min(...group.lines.map((line) => line.left));
  const continues =
    above !== null && above.width === header.length && Math.abs(above.left - left) <= MAX_SHIFT;
  const repeats = continues && header.every((cell, column) => cell === above.labels[column]);
  const isHeader = !continues && others.length > 0 && (group.hasHeader ?? looksLikeHeader(group, rows));
  const labels = isHeader ? header : continues ? above.labels : [];
  const { text, form } = renderTable(labels, isHeader || repeats ? others : rows);
  collector.add('table', text, form);
  return { labels, width: header.length, left };
}

const MAX_LABEL_CHARACTERS = 40;
const MIN_BODY_ROWS = 2;

function looksLikeHeader(
  { lines }: LineGroup,
  [header = [], ...body]: readonly (readonly string[])[],
): boolean {
  const labels = header.filter((cell) => cell !== '');
  // The corner above the names of the rows may be empty.
  const named =
    labels.length >= Math.max(2, header.length - 1) &&
    labels.every((cell) => /\p{L}/u.test(cell) && cell.length <= MAX_LABEL_CHARACTERS) &&
    new Set(labels).size === labels.length;
  if (!named || body.length < MIN_BODY_ROWS) return false;
  const [font, ...fonts] = lines.map((line) => line.font);
  if (font !== null && fonts.every((other) => other !== font)) return true;
  const columns = header.map((_, column) =>
    body.map((row) => row[column] ?? '').filter((cell) => cell !== ''),
  );
  // Without a font of its own, a header differs from names and values by what stands below it.
  if (columns.slice(1).some((cells) => cells.filter(isNumber).length * 2 > cells.length))
    return !labels.some(isNumber);
  const mean = columns.flat().reduce((sum, cell) => sum + cell.length, 0) / columns.flat().length;
  return header.length > 2 && Math.max(...labels.map((cell) => cell.length)) <= Math.max(mean * 1.5, 16);
}

function isNumber(cell: string): boolean {
  return /^\P{L}{0,4}\d/u.test(cell);
}
