import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
 * A journal in a folder that is this process's alone. With embedded storage a note waits its turn for some milliseconds,
 * and dies with the process where that is killed; a file is there as soon as it is written. What an earlier process left
 * is told to `settle` first.
 */
export async function openSentJournal(
  folder: string,
  settle: (sent: Sent) => Promise<unknown>,
): Promise<SentJournal> {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const sent = readSent(file);
    if (sent !== null) await settle(sent);
    rmSync(file);
  }
  return {
    keep(sent, note) {
      const file = join(folder, sent.number);
      writeFileSync(file, JSON.stringify(sent));
      const forget = async () => {
        const noted = await note();
        rmSync(file, { force: true });
        return noted;
      };
      return { safe: Promise.resolve(), noted: forget() };
    },
  };
}

/** Null where the process died before the file was whole. */
function readSent(file: string): Sent | null {
  try {
    return sentSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
