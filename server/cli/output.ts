import type { EventEmitter } from 'node:events';
import { stripVTControlCharacters, styleText } from 'node:util';
import stringWidth from 'string-width';

interface Stream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Streams {
  readonly stdout: Stream;
  readonly stderr: Stream;
}

/**
 * The output of the command line. Results are written to standard output, as one JSON document with `--json`
 * or else as text. Everything else is written to standard error.
 */
export class Output {
  readonly #streams: Streams;
  readonly #json: boolean;

  constructor(streams: Streams, { json }: { readonly json: boolean }) {
    this.#streams = streams;
    this.#json = json;
  }

  /** Prints the result of a command: `document` as JSON, or the text that `show` writes. */
  result(document: unknown, show: () => void): void {
    if (this.#json) this.#write(`${JSON.stringify(document, null, 2)}\n`);
    else show();
  }

  /** Prints one line of text. */
  line(text = ''): void {
    this.#write(`${text}\n`);
  }

  /** Formats a heading or label, bold on a terminal. */
  strong(text: string): string {
    return styleText('bold', text, { stream: this.#streams.stdout });
  }

  /** Prints the text of documents or answers without control characters. */
  text(text: string): void {
    this.line(stripControlCharacters(text));
  }

  /** Prints aligned names and values, one pair per line. Missing values are left out. */
  record(fields: Readonly<Record<string, unknown>>): void {
    const rows = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
    const width = Math.max(...rows.map(([name]) => name.length));
    for (const [name, value] of rows) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      this.line(`${this.strong(name.padEnd(width))}  ${toSingleLine(text)}`);
    }
  }

  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
    const { isTTY, columns: width = 0 } = this.#streams.stdout;
    const [headings = '', ...lines] = renderTable(columns, rows, isTTY === true && width > 0 ? width : null);
    this.line(this.strong(headings));
    for (const line of lines) this.line(line);
  }

  /** Prints a hint to standard error. */
  note(text: string): void {
    this.#streams.stderr.write(`${stripControlCharacters(text)}\n`);
  }

  #write(text: string): void {
    this.#streams.stdout.write(text);
  }
}

export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => string | number;
  /** Truncated if the table is wider than the terminal. */
  readonly flexible?: boolean;
}

const columnGap = '  ';
const minColumnWidth = 12;

/**
 * Returns the lines of an aligned table, headings first; numbers are right-aligned. `width` is the width of
 * the terminal in columns, or null to truncate nothing.
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | null,
): string[] {
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const texts = cells.map((line) => line.map((cell) => toSingleLine(`${cell}`)));
  const widths = columns.map((column, at) =>
    Math.max(stringWidth(column.heading), ...texts.map((line) => stringWidth(line[at] ?? ''))),
  );
  if (width !== null) shrink(columns, widths, width);
  const isNumeric = columns.map(
    (_, at) => cells.length > 0 && cells.every((line) => typeof line[at] === 'number'),
  );
  return [columns.map((column) => column.heading), ...texts].map((line) =>
    line
      .map((text, at) => pad(truncate(text, widths[at] ?? 0), widths[at] ?? 0, isNumeric[at] === true))
      .join(columnGap)
      .trimEnd(),
  );
}

function shrink<Row>(columns: readonly Column<Row>[], widths: number[], width: number): void {
  const total = widths.reduce((sum, one) => sum + one, columnGap.length * (widths.length - 1));
  const flexible = columns.flatMap((column, at) => (column.flexible === true ? [at] : []));
  let excess = total - width;
  for (const at of flexible.sort((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0))) {
    const spare = Math.max(0, Math.min(excess, (widths[at] ?? 0) - minColumnWidth));
    widths[at] = (widths[at] ?? 0) - spare;
    excess -= spare;
  }
}

const characters = new Intl.Segmenter();

/** Returns the text in at most `width` columns, with an ellipsis at the end if it was cut. */
function truncate(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let left = width - 1;
  for (const { segment } of characters.segment(text)) {
    left -= stringWidth(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

function pad(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return right ? blanks + text : text + blanks;
}

/**
 * Bidirectional overrides and isolates. They make a terminal display text in a different order than it is
 * stored.
 */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Removes escape sequences and control characters, so that text of documents is safe for a terminal. Line
 * breaks and tabs are kept.
 */
export function stripControlCharacters(text: string): string {
  const visible = stripVTControlCharacters(text).replace(directionMarks, '');
  return visible.replace(/\p{Cc}/gu, (control) => (control === '\n' || control === '\t' ? control : ''));
}

/** The same on a single line. */
export function toSingleLine(text: string): string {
  return stripControlCharacters(text).replace(/\s+/g, ' ').trim();
}

/** Formats an ISO 8601 time for tables, in UTC with minutes. */
export function formatTime(time: string | null | undefined): string {
  return time == null ? '' : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}

const closedPipeCodes: readonly unknown[] = ['EPIPE', 'ERR_STREAM_DESTROYED'];

/**
 * Ignores errors of a closed pipe, such as with `| head`. Further output is lost, and the command continues.
 */
export function ignoreClosedPipe(stream: EventEmitter): void {
  stream.on('error', (error: Error) => {
    if (!('code' in error) || !closedPipeCodes.includes(error.code)) throw error;
  });
}
