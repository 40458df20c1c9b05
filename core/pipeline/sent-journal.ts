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

/** What platforms have and the database may not know of yet. */
export interface SentJournal {
  /** Keeps it in mind until `note` has told the database. */
  keep<Noted>(sent: Sent, note: () => Promise<Noted>): Promise<Noted>;
}

/** Without a folder of one's own. */
export const noJournal: SentJournal = { keep: (_sent, note) => note() };

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
    async keep(sent, note) {
      const file = join(folder, sent.number);
      writeFileSync(file, JSON.stringify(sent));
      const noted = await note();
      rmSync(file, { force: true });
      return noted;
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
