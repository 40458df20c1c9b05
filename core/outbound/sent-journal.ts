import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SentPart } from './outbox.ts';

const sentSchema = z.object({
  channelId: z.string(),
  lane: z.string(),
  token: z.string(),
  answering: z.string().optional(),
  number: z.string(),
  attempts: z.int(),
  platformMessageId: z.string(),
  sentAt: z.coerce.date(),
});

/** Something that a platform has. */
interface SentRecord<Noted> {
  /** Settles when it will not be sent again, whatever dies. */
  readonly safe: Promise<unknown>;
  readonly noted: Promise<Noted>;
}

/** What platforms have and the database may not know of yet. */
export interface SentJournal {
  /** Keeps it in mind until `note` has told the database, which may take its time where it `isSafe` meanwhile. */
  keep<Noted>(sent: SentPart, note: (isSafe: boolean) => Promise<Noted>): SentRecord<Noted>;
  close(): void;
}

/** Without a folder of one's own. */
export const noJournal: SentJournal = {
  keep(_sent, note) {
    const noted = note(false);
    return { safe: noted, noted };
  },
  close() {},
};

interface Opening {
  /** Of one database; processes that share it share the folder. */
  readonly folder: string;
  readonly processId: string;
  /** Whether a process is at work, as far as one can know. */
  readonly lives: (processId: string) => Promise<boolean>;
  readonly settle: (sent: SentPart) => Promise<unknown>;
  /** Told why the folder cannot be used, and then there is no journal; or why something could not be written into it. */
  readonly warn: (error: unknown) => void;
}

/**
 * A journal in a folder, with a file for each process. A note waits its turn for some milliseconds, and dies with the
 * process where that is killed; what is in a file is there. What an earlier process left, or another one is about to note,
 * is told to `settle` first.
 */
export async function openSentJournal(opening: Opening): Promise<SentJournal> {
  const { folder, processId, warn } = opening;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    warn(error);
    return noJournal;
  }
  await settleLeftovers(opening);
  const file = new JournalFile(join(folder, processId), warn);
  return {
    keep(sent, note) {
      const forget = file.write(JSON.stringify(sent));
      // The platform has it all the same.
      if (forget === null) return noJournal.keep(sent, note);
      const noted = async () => {
        const done = await note(true);
        forget();
        return done;
      };
      return { safe: Promise.resolve(), noted: noted() };
    },
    close: () => file.close(),
  };
}

async function settleLeftovers({ folder, lives, settle }: Opening): Promise<void> {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    for (const sent of readSent(file)) await settle(sent);
    // One that still writes into its file would write into nothing.
    if (!(await lives(name))) rmSync(file, { force: true });
  }
}

function readSent(file: string): SentPart[] {
  try {
    return readJournalTexts(readFileSync(file, 'utf8')).flatMap((text) => parseSent(text) ?? []);
  } catch (error) {
    // Whose it was has ended meanwhile.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Null where the process died before all of it was written. */
function parseSent(text: string): SentPart | null {
  try {
    return sentSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** Texts that are longer find no place. */
const slotBytes = 2_048;
/** So many are made at once: when the disk is full there is a place all the same. */
const slotsAtOnce = 100;
const emptySlot = Buffer.from(`${' '.repeat(slotBytes - 1)}\n`);

/**
 * A file of short texts, a line each, for what has to outlive the process for some milliseconds: a place that is free is
 * written over, as to make and remove a file for each takes thirty times as long. It is made when something comes.
 */
class JournalFile {
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
  write(text: string): (() => void) | null {
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
function readJournalTexts(content: string): string[] {
  return content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
