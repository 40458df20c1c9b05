import { closeSync, openSync, rmSync, writeSync } from 'node:fs';

/** Texts that are longer find no place. */
const slotBytes = 2_048;
/** So many are made at once: when the disk is full there is a place all the same. */
const slotsAtOnce = 100;
const emptySlot = Buffer.from(`${' '.repeat(slotBytes - 1)}\n`);

/**
 * A file of short texts, a line each, for what has to outlive the process for some milliseconds: a place that is free is
 * written over, as to make and remove a file for each takes thirty times as long. It is made when something comes.
 */
export class SlotFile {
  readonly #path: string;
  readonly #warn: (error: unknown) => void;
  readonly #free: number[] = [];
  readonly #line = Buffer.alloc(slotBytes);
  /** In the file. */
  #slots = 0;
  #file: number | undefined;
  #isClosed = false;

  /** `warn` is told why something could not be written, each time. */
  constructor(path: string, warn: (error: unknown) => void) {
    this.#path = path;
    this.#warn = warn;
  }

  /** Returns how the text is taken out again; null where it cannot be kept, as on a full disk. */
  keep(text: string): (() => void) | null {
    const bytes = Buffer.byteLength(text);
    if (this.#isClosed || bytes >= slotBytes) return null;
    if (this.#free.length === 0) this.#grow();
    const slot = this.#free.pop();
    if (slot === undefined) return null;
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

  #grow(): void {
    const from = this.#slots;
    if (!this.#writeAt(from, Buffer.alloc(slotsAtOnce * slotBytes, emptySlot))) return;
    this.#slots += slotsAtOnce;
    for (let slot = this.#slots - 1; slot >= from; slot -= 1) this.#free.push(slot);
  }

  #write(slot: number, text: string): boolean {
    emptySlot.copy(this.#line);
    this.#line.write(text);
    return this.#writeAt(slot, this.#line);
  }

  #writeAt(slot: number, bytes: Buffer): boolean {
    try {
      this.#file ??= openSync(this.#path, 'w', 0o600);
      return writeSync(this.#file, bytes, 0, bytes.length, slot * slotBytes) === bytes.length;
    } catch (error) {
      this.#warn(error);
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
