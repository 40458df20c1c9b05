import type { EventEmitter } from 'node:events';
import { stripVTControlCharacters, styleText } from 'node:util';
import cliTruncate from 'cli-truncate';
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
 * All that the command line writes. Results go to standard output: as one JSON document with `--json`, else as text
 * for people. Everything else goes to standard error.
 */
export class Output {
  readonly #streams: Streams;
  readonly #json: boolean;

  constructor(streams: Streams, { json }: { readonly json: boolean }) {
    this.#streams = streams;
    this.#json = json;
  }

  /** The outcome of a command: `document` for programs, or what `show` writes for people. */
  result(document: unknown, show: () => void): void {
    if (this.#json) this.#write(`${JSON.stringify(document, null, 2)}\n`);
    else show();
  }

  /** One line for people. */
  line(text = ''): void {
    this.#write(`${text}\n`);
  }

  /** A heading or label, bold on a terminal. */
  strong(text: string): string {
    return styleText('bold', text, { stream: this.#streams.stdout });
  }

  /** Text of documents or answers, as it is but for control characters. */
  text(text: string): void {
    this.line(stripControlCharacters(text));
  }

  /** Names and values, one a line, aligned. Absent values are left out. */
  record(fields: Readonly<Record<string, unknown>>): void {
    const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
    const width = Math.max(...shown.map(([name]) => name.length));
    for (const [name, value] of shown) {
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

  /** Something to know beside the result, on standard error. */
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
  /** Cut where the table would be wider than the terminal. */
  readonly flexible?: boolean;
}

const columnGap = '  ';
const minColumnWidth = 12;

/**
 * Lines of an aligned table, the headings first; numbers stand on the right. `width` is the terminal's in columns,
 * or null where nothing is to be cut.
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
      .map((text, at) => pad(cliTruncate(text, widths[at] ?? 0), widths[at] ?? 0, isNumeric[at] === true))
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

function pad(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return right ? blanks + text : text + blanks;
}

/** Bidirectional overrides and isolates: they make a terminal show text in another order than it is stored. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** Text of a document made harmless for a terminal: no escape sequences; line breaks and tabs stay. */
export function stripControlCharacters(text: string): string {
  const visible = stripVTControlCharacters(text).replace(directionMarks, '');
  return visible.replace(/\p{Cc}/gu, (control) => (control === '\n' || control === '\t' ? control : ''));
}

/** The same on one line. */
export function toSingleLine(text: string): string {
  return stripControlCharacters(text).replace(/\s+/g, ' ').trim();
}

/** An ISO 8601 time as a table shows it: to the minute, in UTC. */
export function formatTime(time: string | null | undefined): string {
  return time == null ? '' : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}

const closedPipeCodes: readonly unknown[] = ['EPIPE', 'ERR_STREAM_DESTROYED'];

/** A reader that has had enough (`| head`) is no error: what is written afterwards is lost, and the work goes on. */
export function ignoreClosedPipe(stream: EventEmitter): void {
  stream.on('error', (error: Error) => {
    if (!('code' in error) || !closedPipeCodes.includes(error.code)) throw error;
  });
}
