/** No answer is longer; models that are asked for 1,024 tokens rarely reach half of it. */
export const MOST_CHARACTERS = 8_000;
/** From here on the answer ends with the next sentence. */
const ENDING_CHARACTERS = 7_000;
const SENTENCE_END = /[.!?…][)"'”’»]*(?=\s|$)|[。！？]|\n/gu;

/** Ends a text that comes in pieces before it is too long: with a sentence where one ends in time. */
export class LengthLimit {
  #length = 0;
  #reached = false;

  get isReached(): boolean {
    return this.#reached;
  }

  /** As much of the next piece as may be shown. */
  take(piece: string): string {
    if (this.#reached) return '';
    const before = this.#length;
    this.#length += piece.length;
    if (this.#length <= ENDING_CHARACTERS) return piece;
    const room = MOST_CHARACTERS - before - 1;
    for (const { index, 0: stop } of piece.matchAll(SENTENCE_END)) {
      const end = index + stop.length;
      if (before + end < ENDING_CHARACTERS || end > room) continue;
      this.#reached = true;
      return piece.slice(0, end).trimEnd();
    }
    if (this.#length < MOST_CHARACTERS) return piece;
    this.#reached = true;
    const head = piece.slice(0, Math.max(0, room));
    return `${head.replace(/(?<!\S)\S+$/u, '').trimEnd()}…`;
  }
}
