/** Gathers running text: white space collapses as in a browser, `br` alone makes a line. */
export class InlineText {
  #lines: string[] = [''];

  append(text: string): void {
    this.#lines.push((this.#lines.pop() ?? '') + text);
  }

  breakLine(): void {
    this.#lines.push('');
  }

  /** The character that the next text would follow. */
  lastCharacter(): string {
    return this.#lines.at(-1)?.at(-1) ?? '';
  }

  includes(text: string): boolean {
    return this.#lines.some((line) => line.includes(text));
  }

  /** What was gathered, and begins anew. */
  take(): string {
    const lines = this.#lines.map((line) => line.replace(/\s+/g, ' ').trim()).filter((line) => line !== '');
    this.#lines = [''];
    return lines.join('\n');
  }
}
