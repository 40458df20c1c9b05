import { spokenSentences } from '../speech/spoken-sentences.ts';

/** Where a sentence may end: behind the number of an item or a day, and behind a single letter, it may go on. */
const END = /(?:(?<!(?<![\d:.,])\d{1,3})(?<!\b\p{L})[.!?…:]["'”’)\]]*\s+|\n+)/gu;

/** So much is held back at most while a link, a table or a piece of code is not whole. */
const MOST_UNSAID = 1_000;

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

  /** 0 where nothing is whole yet: nothing within a link, a table or a piece of code is, unless it is too long. */
  #lastEnd(): number {
    const counts = { fence: 0, bold: 0, opened: 0, closed: 0, targets: 0, targetEnds: 0 };
    let from = 0;
    let last = 0;
    let whole = 0;
    for (const { 0: end, index } of this.#unsaid.matchAll(END)) {
      last = index + end.length;
      const piece = this.#unsaid.slice(from, last);
      counts.fence += count(piece, '```');
      counts.bold += count(piece, '**');
      counts.opened += count(piece, '[');
      counts.closed += count(piece, ']');
      counts.targets += count(piece, '](');
      counts.targetEnds += count(piece, ')');
      from = last;
      const isWhole =
        counts.fence % 2 === 0 &&
        counts.bold % 2 === 0 &&
        counts.opened === counts.closed &&
        counts.targets <= counts.targetEnds;
      if (isWhole && !isInTable(this.#unsaid, last)) whole = last;
    }
    if (whole > 0 || this.#unsaid.length <= MOST_UNSAID) return whole;
    return last || this.#unsaid.lastIndexOf(' ') + 1 || this.#unsaid.length;
  }
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** Whether the text up to there ends with the row of a table, of which more may come. */
function isInTable(text: string, end: number): boolean {
  const said = text.slice(0, end).trimEnd();
  const line = said.slice(said.lastIndexOf('\n') + 1).trimStart();
  return line.startsWith('|') && !/^[^|\n]/.test(text.slice(end));
}
