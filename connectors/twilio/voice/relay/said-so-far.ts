/** What was said of an answer, in the order in which it was handed over to be read aloud. */
export class SaidSoFar {
  /** Beside the answer: what is said while it is made. */
  #before = '';
  #answer = '';

  get length(): number {
    return this.#answer.length;
  }

  filler(words: string): void {
    if (this.#answer === '') this.#before += `${words} `;
  }

  add(sentence: string): void {
    this.#answer += this.#answer === '' ? sentence : ` ${sentence}`;
  }

  /** Of the answer, all up to the end of what was heard last. */
  upTo(heard: string): string {
    const all = this.#before + this.#answer;
    const words = heard.trim();
    if (words === '') return '';
    const at = all.indexOf(words);
    const end = at < 0 ? this.#before.length + words.length : at + words.length;
    return all.slice(this.#before.length, Math.max(this.#before.length, end)).trim();
  }
}
