import { linksIn } from './links-in.ts';
import type { SentenceSupport } from './sentence-support.ts';
import { wordKeys } from './word-keys.ts';

/** So many words that no passage holds, if they are the more, and the rest of the sentence waits for its end. */
const STRANGE_WORDS = 2;
const BEGUN_WORD = /(?<=^|\s)[\p{L}\p{M}]+$/u;

/**
 * Watches a sentence that is shown while it is written: numbers and addresses that no passage holds are never shown,
 * and a sentence that goes astray is stopped.
 */
export class WordGate {
  readonly #support: SentenceSupport;
  #known = 0;
  #unknown = 0;
  #open = true;
  /** The beginning of a word, until the rest of it comes. */
  #begun = '';

  constructor(support: SentenceSupport) {
    this.#support = support;
  }

  /** Whether the next piece may be shown; once it says no it goes on saying so. Numbers and addresses come whole. */
  lets(piece: string): boolean {
    if (!this.#open) return false;
    const begun = BEGUN_WORD.exec(piece)?.[0] ?? '';
    const words = this.#begun + piece.slice(0, piece.length - begun.length);
    this.#begun = words === this.#begun ? words + begun : begun;
    if (words === '' || begun === piece) return true;
    if (linksIn(words).length > 0) this.#open = false;
    for (const word of wordKeys(words)) {
      if (this.#support.knows(word)) this.#known += 1;
      else if (word.exact) this.#open = false;
      else this.#unknown += 1;
    }
    const isAstray = this.#unknown >= STRANGE_WORDS && this.#unknown > this.#known;
    if (this.#open && isAstray) this.#open = this.#support.isForeign;
    return this.#open;
  }
}
