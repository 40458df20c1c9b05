import { type Block, type LoadingLimits, requireReadableText } from './loader.ts';

interface OpenHeading {
  readonly level: number;
  readonly text: string;
  used: boolean;
}

/** Builds the blocks of a document from headings and texts in reading order, and enforces the text limit. */
export class BlockCollector {
  readonly #limits: Pick<LoadingLimits, 'maxTextCharacters'>;
  readonly #blocks: Block[] = [];
  readonly #topHeadings: string[] = [];
  #open: OpenHeading[] = [];
  #characters = 0;

  constructor(limits: Pick<LoadingLimits, 'maxTextCharacters'>) {
    this.#limits = limits;
  }

  /** Opens a section and closes open sections of the same or a deeper level. Level 1 is the outermost. */
  heading(level: number, text: string): void {
    const cleaned = cleanText(text).replace(/\s+/g, ' ').trim();
    if (cleaned === '') return;
    this.close(level);
    this.#count(cleaned);
    this.#open.push({ level, text: cleaned, used: false });
    if (level === 1) this.#topHeadings.push(cleaned);
  }

  /** Closes the sections from `level` inwards. A heading without content is kept as a paragraph. */
  close(level: number): void {
    for (let last = this.#open.at(-1); last !== undefined && last.level >= level; last = this.#open.at(-1)) {
      this.#open.pop();
      if (!last.used) this.add('paragraph', last.text);
    }
  }

  /** Returns the level for a new section inside the innermost one; at least 2, because level 1 is the title's. */
  innerLevel(): number {
    return (this.#open.at(-1)?.level ?? 1) + 1;
  }

  /** Adds a block under the open headings. Throws `too_much_text`. */
  add(kind: Block['kind'], text: string): void {
    const cleaned = kind === 'code' ? trimLines(cleanText(text)) : cleanText(text).trim();
    if (cleaned === '') return;
    this.#count(cleaned);
    for (const heading of this.#open) heading.used = true;
    this.#blocks.push({ headings: this.#open.map((heading) => heading.text), kind, text: cleaned });
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

/** The cells of one row by column. Empty cells are omitted from the output. */
export type Row = readonly string[];

/**
 * Renders rows as lines that make sense alone: each value with the label of its column. Without labels, two columns are
 * rendered as name and value.
 */
export function rowLines(labels: readonly string[], rows: readonly Row[]): string[] {
  const labelled = labels.some((label) => label !== '');
  return rows
    .map((row) => (labelled ? labelledRow(labels, row) : plainRow(row)))
    .filter((line) => line !== '');
}

/** Returns `label: value`, without a colon if the label already ends in one. */
export function labelValue(label: string, value: string): string {
  if (label === '') return value;
  return /[:?!]$/.test(label) ? `${label} ${value}` : `${label}: ${value}`;
}

function labelledRow(labels: readonly string[], row: Row): string {
  const parts = row.map((value, column) => (value === '' ? '' : labelValue(labels[column] ?? '', value)));
  return parts.filter((part) => part !== '').join('; ');
}

function plainRow(row: Row): string {
  const [name = '', value = '', ...others] = row;
  if (name !== '' && value !== '' && others.every((cell) => cell === '')) return labelValue(name, value);
  return row.filter((cell) => cell !== '').join(' | ');
}
