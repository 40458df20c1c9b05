import type { Place } from '../../contract/answer.ts';
import { type Row, rowLines } from '../passage.ts';
import { type Block, type LoadingLimits, requireReadableText } from './loader.ts';

type Form = Pick<Block, 'code' | 'table' | 'rowNumbers'>;

export interface RenderedTable {
  readonly text: string;
  readonly form: Form;
}

/** Returns the plain text of a table, and its cells if the columns are labelled. `numbers` are those of its rows. */
export function renderTable(
  labels: Row,
  rows: readonly Row[],
  numbers: readonly number[] = [],
): RenderedTable {
  const isFilled = (row: Row | undefined): boolean => row?.some((cell) => cell !== '') === true;
  const filled = rows.filter(isFilled);
  const rowNumbers = numbers.filter((_, index) => isFilled(rows[index]));
  const labelled = labels.some((label) => label !== '');
  return {
    text: rowLines(labels, filled).join('\n'),
    form: {
      ...(rowNumbers.length > 0 && { rowNumbers }),
      ...(labelled && filled.length > 0 && { table: { labels, rows: filled } }),
    },
  };
}

interface OpenHeading {
  readonly level: number;
  readonly text: string;
  readonly place: Place | null;
  used: boolean;
}

/** Builds the blocks of a document from headings and texts in reading order, and enforces the text limit. */
export class BlockCollector {
  readonly #limits: Pick<LoadingLimits, 'maxTextCharacters'>;
  readonly #blocks: Block[] = [];
  readonly #topHeadings: string[] = [];
  #open: OpenHeading[] = [];
  #characters = 0;
  #place: Place | null = null;

  constructor(limits: Pick<LoadingLimits, 'maxTextCharacters'>) {
    this.#limits = limits;
  }

  /** Sets the place of what is added from now on. */
  at(place: Place): void {
    this.#place = place;
  }

  /** Opens a section and closes open sections of the same or a deeper level. Level 1 is the outermost. */
  heading(level: number, text: string): void {
    const cleaned = cleanText(text).replace(/\s+/g, ' ').trim();
    if (cleaned === '') return;
    this.close(level);
    this.#count(cleaned);
    this.#open.push({ level, text: cleaned, place: this.#place, used: false });
    if (level === 1) this.#topHeadings.push(cleaned);
  }

  /** Closes the sections from `level` inwards. A heading without content is kept as a paragraph. */
  close(level: number): void {
    for (let last = this.#open.at(-1); last !== undefined && last.level >= level; last = this.#open.at(-1)) {
      this.#open.pop();
      if (last.used) continue;
      const here = this.#place;
      this.#place = last.place;
      this.add('paragraph', last.text);
      this.#place = here;
    }
  }

  /** Returns the level for a new section inside the innermost one; at least 2, because level 1 is the title's. */
  innerLevel(): number {
    return (this.#open.at(-1)?.level ?? 1) + 1;
  }

  /** Adds a block under the open headings, with the form in which it is shown. Throws `too_much_text`. */
  add(kind: Block['kind'], text: string, form: Form = {}): void {
    const cleaned = kind === 'code' ? trimLines(cleanText(text)) : cleanText(text).trim();
    if (cleaned === '') return;
    this.#count(cleaned);
    for (const heading of this.#open) heading.used = true;
    this.#blocks.push({
      headings: this.#open.map((heading) => heading.text),
      kind,
      text: cleaned,
      ...(this.#place !== null && { place: this.#place }),
      ...cleanForm(form),
    });
  }

  /** Returns all blocks, and the headings of level 1 in order. */
  finish(): { readonly blocks: readonly Block[]; readonly topHeadings: readonly string[] } {
    this.close(1);
    return { blocks: this.#blocks, topHeadings: this.#topHeadings };
  }

  #count(text: string): void {
    this.#characters += text.length;
    requireReadableText(this.#characters, this.#limits);
  }
}

function cleanForm({ code, table, rowNumbers }: Form): Form {
  return {
    ...(rowNumbers === undefined ? {} : { rowNumbers }),
    ...(code === undefined || (code.language === '' && code.title === '') ? {} : { code }),
    ...(table === undefined
      ? {}
      : {
          table: { labels: table.labels.map(cleanText), rows: table.rows.map((row) => row.map(cleanText)) },
        }),
  };
}

/** Removes blank lines at the start but keeps the indentation of the first line of code. */
function trimLines(text: string): string {
  return text.replace(/^[ \t\n]*\n/, '').trimEnd();
}

const LINE_ENDS = /\r\n?|[\u2028\u2029\u0085]/g;
const PARAGRAPH_ENDS = /[\f\v]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;
/** Soft hyphens, zero-width characters, direction overrides, tag characters and private-use icons. */
const INVISIBLE =
  /[\u00ad\u200b\u200e\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffc]|[\u{e0000}-\u{e007f}]|\p{Co}/gu;
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/** Returns the text in NFC with `\n` line ends and ordinary spaces, without control and invisible characters. */
export function cleanText(text: string): string {
  return text
    .replace(LINE_ENDS, '\n')
    .replace(PARAGRAPH_ENDS, '\n\n')
    .replace(CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .normalize('NFC');
}
