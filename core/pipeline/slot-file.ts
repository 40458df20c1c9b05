import { closeSync, openSync, rmSync, writeSync } from 'node:fs';

/** Texts that are longer find no place. */
const slotBytes = 2_048;

/**
 * A file of short texts, a line each, for what has to outlive the process for some milliseconds: a place that is free is
 * written over, as to make and remove a file for each takes thirty times as long. It is made when something comes.
 */
export class SlotFile {
  readonly #path: string;
  readonly #free: number[] = [];
  readonly #line = Buffer.alloc(slotBytes);
  #slots = 0;
  #file: number | undefined;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns how the text is taken out again; null where it cannot be kept, as on a full disk. */
  keep(text: string): (() => void) | null {
    const bytes = Buffer.byteLength(text);
    if (this.#isClosed || bytes >= slotBytes) return null;
    const slot = this.#free.pop() ?? this.#slots++;
    if (!this.#write(slot, text)) {
      this.#free.push(slot);
      return null;
    }
    return () => {
      if (!this.#isClosed && this.#write(slot, '')) this.#free.push(slot);
    };
  }

  /** What is still kept stays. */
  close(): void {
    this.#isClosed = true;
    if (this.#file === undefined) return;
    closeSync(this.#file);
    if (this.#free.length === this.#slots) rmSync(this.#path, { force: true });
  }

  #write(slot: number, text: string): boolean {
    this.#line.fill(' ');
    this.#line.write(text);
    this.#line.write('\n', slotBytes - 1);
    try {
      this.#file ??= openSync(this.#path, 'w', 0o600);
      writeSync(this.#file, this.#line, 0, slotBytes, slot * slotBytes);
      return true;
    } catch {
      return false;
    }
  }
}

/** The texts that are kept in such a file. */
export function keptTexts(content: string): string[] {
  return content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
