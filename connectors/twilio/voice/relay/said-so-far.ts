/** What was said of an answer, in the order in which it was handed over to be read aloud. */
export class SaidSoFar {
  /** Heard to its end: the caller asked for more after it. */
  #heard = '';
  /** Beside the answer: what is said while it is made. */
  #before = '';
  #answer = '';

  get length(): number {
    return this.#answer.length;
  }

  /** All of the answer that was handed over. */
  get all(): string {
    return joined(this.#heard, this.#answer);
  }

  filler(words: string): void {
    if (this.#answer === '') this.#before += `${words} `;
  }

  add(sentence: string): void {
    this.#answer = joined(this.#answer, sentence);
  }

  /** Somebody who wants to hear on has heard what was said by then. */
  pause(): void {
    this.#heard = this.all;
    this.#before = '';
    this.#answer = '';
  }

  /** Of the answer, all up to the end of what was heard last. */
  upTo(heard: string): string {
    const all = this.#before + this.#answer;
    const words = heard.trim();
    if (words === '') return this.#heard;
    const at = all.indexOf(words);
    const end = at < 0 ? this.#before.length + words.length : at + words.length;
    return joined(this.#heard, all.slice(this.#before.length, Math.max(this.#before.length, end)).trim());
  }
}

function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}
