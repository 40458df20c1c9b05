import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import { plainLine } from './plain-text.ts';

export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => string | number;
  /** Cut where the table would be wider than the terminal. */
  readonly flexible?: boolean;
}

const gap = '  ';
const narrowest = 12;

/**
 * Lines of an aligned table, the headings first; numbers stand on the right. `width` is the terminal's in columns,
 * or null where nothing is to be cut.
 */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | null,
): string[] {
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const texts = cells.map((line) => line.map((cell) => plainLine(`${cell}`)));
  const widths = columns.map((column, at) =>
    Math.max(stringWidth(column.heading), ...texts.map((line) => stringWidth(line[at] ?? ''))),
  );
  if (width !== null) shrink(columns, widths, width);
  const isNumeric = columns.map(
    (_, at) => cells.length > 0 && cells.every((line) => typeof line[at] === 'number'),
  );
  return [columns.map((column) => column.heading), ...texts].map((line) =>
    line
      .map((text, at) => pad(cliTruncate(text, widths[at] ?? 0), widths[at] ?? 0, isNumeric[at] === true))
      .join(gap)
      .trimEnd(),
  );
}

function shrink<Row>(columns: readonly Column<Row>[], widths: number[], width: number): void {
  const total = widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1));
  const flexible = columns.flatMap((column, at) => (column.flexible === true ? [at] : []));
  let excess = total - width;
  for (const at of flexible.sort((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0))) {
    const spare = Math.max(0, Math.min(excess, (widths[at] ?? 0) - narrowest));
    widths[at] = (widths[at] ?? 0) - spare;
    excess -= spare;
  }
}

function pad(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return right ? blanks + text : text + blanks;
}
