import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Sent } from './settle-part.ts';

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
export interface Noting<Noted> {
  /** Settles when it will not be sent again, whatever dies. */
  readonly safe: Promise<unknown>;
  readonly noted: Promise<Noted>;
}

/** What platforms have and the database may not know of yet. */
export interface SentJournal {
  /** Keeps it in mind until `note` has told the database. */
  keep<Noted>(sent: Sent, note: () => Promise<Noted>): Noting<Noted>;
}

/** Without a folder of one's own. */
export const noJournal: SentJournal = {
  keep(_sent, note) {
    const noted = note();
    return { safe: noted, noted };
  },
};

/**
 * A journal in a folder, of one database. A note waits its turn for some milliseconds, and dies with the process where that
 * is killed; a file is there as soon as it is written. What an earlier process left, or another one is about to note, is
 * told to `settle` first.
 */
export async function openSentJournal(
  folder: string,
  settle: (sent: Sent) => Promise<unknown>,
): Promise<SentJournal> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const sent = readSent(file);
    if (sent !== null) await settle(sent);
    rmSync(file, { force: true });
  }
  return {
    keep(sent, note) {
      const file = join(folder, sent.number);
      // On a full disk: the platform has it all the same.
      if (!isWritten(file, JSON.stringify(sent))) return noJournal.keep(sent, note);
      const forget = async () => {
        const noted = await note();
        rmSync(file, { force: true });
        return noted;
      };
      return { safe: Promise.resolve(), noted: forget() };
    },
  };
}

/** As `openSentJournal`; without one where the folder cannot be used, which is told to `warn`. */
export async function trySentJournal(
  folder: string,
  settle: (sent: Sent) => Promise<unknown>,
  warn: (error: unknown) => void,
): Promise<SentJournal> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    warn(error);
    return noJournal;
  }
  return openSentJournal(folder, settle);
}

function isWritten(file: string, text: string): boolean {
  try {
    writeFileSync(file, text);
    return true;
  } catch {
    return false;
  }
}

/** Null where the process died before the file was whole, or another one has noted it meanwhile. */
function readSent(file: string): Sent | null {
  try {
    return sentSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
