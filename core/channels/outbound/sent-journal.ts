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
  number: z.string(),
  attempts: z.int(),
  platformMessageId: z.string(),
  sentAt: z.coerce.date(),
});

/** A message that a platform has accepted. */
interface SentRecord<Recorded> {
  /** Settles when the message cannot be sent again, even if the process dies. */
  readonly safe: Promise<unknown>;
  readonly recorded: Promise<Recorded>;
}

/** Records messages that platforms have accepted before the database knows of them. */
export interface SentJournal {
  /** Keeps the record until `record` has written it to the database. */
  keep<Recorded>(sent: SentPart, record: () => Promise<Recorded>): SentRecord<Recorded>;
  close(): void;
}

/** Used if the process has no folder of its own. */
export const noJournal: SentJournal = {
  keep(_sent, record) {
    const recorded = record();
    return { safe: recorded, recorded };
  },
  close() {},
};

interface JournalOptions {
  /** Folder for one database. Processes that share the database share the folder. */
  readonly folder: string;
  readonly processId: string;
  /** Returns true if the process is alive, as far as is known. */
  readonly lives: (processId: string) => Promise<boolean>;
  readonly settle: (sent: SentPart) => Promise<unknown>;
  /** Called if the folder is unusable, in which case there is no journal, or if a write fails. */
  readonly warn: (error: unknown) => void;
}

/**
 * Opens a journal in a folder, with one file per process. A database write waits some milliseconds for its
 * batch and is lost if the process is killed meanwhile; a record in the file is not. First passes the records
 * of earlier processes, and those that another process is about to write, to `settle`.
 */
export async function openSentJournal(options: JournalOptions): Promise<SentJournal> {
  const { folder, processId, warn } = options;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    warn(error);
    return noJournal;
  }
  await settleLeftovers(options);
  const file = new JournalFile(join(folder, processId), warn);
  return {
    keep(sent, record) {
      const remove = file.write(JSON.stringify(sent));
      // The platform has accepted the message, so it is recorded without the journal.
      if (remove === null) return noJournal.keep(sent, record);
      const recorded = async () => {
        const done = await record();
        remove();
        return done;
      };
      return { safe: Promise.resolve(), recorded: recorded() };
    },
    close: () => file.close(),
  };
}

async function settleLeftovers({ folder, lives, settle }: JournalOptions): Promise<void> {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    for (const sent of readSent(file)) await settle(sent);
    // Keep the file of a live process: it would keep writing into a deleted file.
    if (!(await lives(name))) rmSync(file, { force: true });
  }
}

function readSent(file: string): SentPart[] {
  try {
    return readJournalTexts(readFileSync(file, 'utf8')).flatMap((text) => parseSent(text) ?? []);
  } catch (error) {
    // The owner has removed its file meanwhile.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Returns null for a record that was not written completely before the process died. */
function parseSent(text: string): SentPart | null {
  try {
    return sentSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** Maximum size of a record. Longer ones are not stored. */
const slotBytes = 2_048;
/** Slots are allocated in blocks, so that records still fit when the disk is full. */
const SLOTS_PER_BLOCK = 100;
const emptySlot = Buffer.from(`${' '.repeat(slotBytes - 1)}\n`);

/**
 * A file of short records, one line each, that outlive the process for some milliseconds. Free slots are
 * overwritten, because creating and removing a file per record takes thirty times as long. The file is created
 * on the first write.
 */
class JournalFile {
  readonly #path: string;
  readonly #warn: (error: unknown) => void;
  readonly #free: number[] = [];
  readonly #line = Buffer.alloc(slotBytes);
  /** Number of slots in the file. */
  #slots = 0;
  #file: number | undefined;
  #isClosed = false;

  /** `warn` is called for each failed write. */
  constructor(path: string, warn: (error: unknown) => void) {
    this.#path = path;
    this.#warn = warn;
  }

  /** Returns a function that removes the record, or null if it cannot be stored, for example on a full disk. */
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

  /** Keeps records that were not removed. */
  close(): void {
    this.#isClosed = true;
    if (this.#file === undefined) return;
    closeSync(this.#file);
    if (this.#free.length === this.#slots) rmSync(this.#path, { force: true });
  }

  #grow(): void {
    const from = this.#slots;
    if (!this.#writeAt(from, Buffer.alloc(SLOTS_PER_BLOCK * slotBytes, emptySlot))) return;
    this.#slots += SLOTS_PER_BLOCK;
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

/** Returns the records in a journal file. */
function readJournalTexts(content: string): string[] {
  return content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
