import { spokenSentences } from '../speech/spoken-sentences.ts';

/** Where a sentence may end: behind the number of an item or a day, and behind a single letter, it may go on. */
const END = /(?:(?<!(?<![\d:.,])\d{1,3})(?<!\b\p{L})[.!?…:]["'”’)\]]*\s+|\n+)/gu;

/** Markdown that comes in pieces, as sentences that are read aloud as soon as each is whole. */
export class SpeechStream {
  readonly #tag: string;
  #unsaid = '';

  constructor(tag: string) {
    this.#tag = tag;
  }

  push(piece: string): readonly string[] {
    this.#unsaid += piece;
    const at = this.#lastEnd();
    if (at === 0) return [];
    const whole = this.#unsaid.slice(0, at);
    this.#unsaid = this.#unsaid.slice(at);
    return spokenSentences(whole, this.#tag);
  }

  /** What is left when all was written. */
  end(): readonly string[] {
    const left = this.#unsaid;
    this.#unsaid = '';
    return spokenSentences(left, this.#tag);
  }

  /** 0 where nothing is whole yet: nothing within a link, a table or a piece of code is. */
  #lastEnd(): number {
    const ends = [...this.#unsaid.matchAll(END)].map(({ 0: end, index }) => index + end.length);
    return ends.findLast((at) => isWhole(this.#unsaid.slice(0, at), this.#unsaid.slice(at))) ?? 0;
  }
}

function isWhole(text: string, rest: string): boolean {
  const count = (sign: string) => text.split(sign).length - 1;
  const isTable = /(?:^|\n)\s*\|[^\n]*\n?\s*$/.test(text) && !/^[^|\n]/.test(rest);
  return (
    count('```') % 2 === 0 &&
    count('[') === count(']') &&
    count('](') <= count(')') &&
    count('**') % 2 === 0 &&
    !isTable
  );
}
