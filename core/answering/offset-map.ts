interface Mark {
  readonly from: number;
  readonly to: number;
}

/** Tells where characters of a text stand after parts of it were removed or replaced. In UTF-16 code units. */
export class OffsetMap {
  /** The places after each change, in order. */
  readonly #marks: Mark[] = [];
  #from = 0;
  #to = 0;

  /** Records the next part of the text: its length before and after. */
  advance(before: number, after = before): void {
    this.#from += before;
    this.#to += after;
    if (before !== after) this.#marks.push({ from: this.#from, to: this.#to });
  }

  /** Returns the place of a character of the text before; that of what follows if it was removed. */
  locate(offset: number): number {
    let before: Mark = { from: 0, to: 0 };
    for (const mark of this.#marks) {
      if (mark.from > offset) return Math.min(before.to + offset - before.from, mark.to);
      before = mark;
    }
    return Math.min(before.to + offset - before.from, this.#to);
  }
}
