import { styleText } from 'node:util';
import { plainLine, plainText } from './plain-text.ts';
import { type Column, tableLines } from './table.ts';

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
    this.line(plainText(text));
  }

  /** Names and values, one a line, aligned. Absent values are left out. */
  record(fields: Readonly<Record<string, unknown>>): void {
    const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
    const width = Math.max(...shown.map(([name]) => name.length));
    for (const [name, value] of shown) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      this.line(`${this.strong(name.padEnd(width))}  ${plainLine(text)}`);
    }
  }

  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
    const { isTTY, columns: width = 0 } = this.#streams.stdout;
    const [headings = '', ...lines] = tableLines(columns, rows, isTTY === true && width > 0 ? width : null);
    this.line(this.strong(headings));
    for (const line of lines) this.line(line);
  }

  /** Something to know beside the result, on standard error. */
  note(text: string): void {
    this.#streams.stderr.write(`${plainText(text)}\n`);
  }

  #write(text: string): void {
    this.#streams.stdout.write(text);
  }
}
