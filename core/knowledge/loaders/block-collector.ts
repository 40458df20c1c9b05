import { cleanText } from './clean-text.ts';
import type { Block } from './loaded-document.ts';
import type { LoadingLimits } from './loading-limits.ts';
import { requireReadableText } from './require-readable-size.ts';

interface OpenHeading {
  readonly level: number;
  readonly text: string;
  used: boolean;
}

/** Builds the blocks of a document from headings and texts as they come, under one ceiling for all of its text. */
export class BlockCollector {
  readonly #limits: Pick<LoadingLimits, 'maxTextCharacters'>;
  readonly #blocks: Block[] = [];
  readonly #topHeadings: string[] = [];
  #open: OpenHeading[] = [];
  #characters = 0;

  constructor(limits: Pick<LoadingLimits, 'maxTextCharacters'>) {
    this.#limits = limits;
  }

  /** Opens a section: `level` 1 is the outermost, and closes every section of the same or an inner level. */
  heading(level: number, text: string): void {
    const cleaned = cleanText(text).replace(/\s+/g, ' ').trim();
    if (cleaned === '') return;
    this.close(level);
    this.#count(cleaned);
    this.#open.push({ level, text: cleaned, used: false });
    if (level === 1) this.#topHeadings.push(cleaned);
  }

  /** Closes the sections from `level` inwards. A heading with nothing under it is all its section says: it is kept as text. */
  close(level: number): void {
    for (let last = this.#open.at(-1); last !== undefined && last.level >= level; last = this.#open.at(-1)) {
      this.#open.pop();
      if (!last.used) this.add('paragraph', last.text);
    }
  }

  /** The level of a section that would open inside the innermost one; never the first, which is a document's own. */
  innerLevel(): number {
    return (this.#open.at(-1)?.level ?? 1) + 1;
  }

  /** Throws `too_much_text`. */
  add(kind: Block['kind'], text: string): void {
    const cleaned = kind === 'code' ? trimLines(cleanText(text)) : cleanText(text).trim();
    if (cleaned === '') return;
    this.#count(cleaned);
    for (const heading of this.#open) heading.used = true;
    this.#blocks.push({ headings: this.#open.map((heading) => heading.text), kind, text: cleaned });
  }

  /** All blocks, and the headings of level 1 in order. */
  finish(): { readonly blocks: readonly Block[]; readonly topHeadings: readonly string[] } {
    this.close(1);
    return { blocks: this.#blocks, topHeadings: this.#topHeadings };
  }

  #count(text: string): void {
    this.#characters += text.length;
    requireReadableText(this.#characters, this.#limits);
  }
}

/** Code keeps its indentation, also on the first line. */
function trimLines(text: string): string {
  return text.replace(/^[ \t\n]*\n/, '').trimEnd();
}
