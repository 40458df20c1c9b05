import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Sent } from './settle-part.ts';
import { keptTexts, SlotFile } from './slot-file.ts';

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
  /** Keeps it in mind until `note` has told the database, which may take its time where it `isSafe` meanwhile. */
  keep<Noted>(sent: Sent, note: (isSafe: boolean) => Promise<Noted>): Noting<Noted>;
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
  readonly settle: (sent: Sent) => Promise<unknown>;
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
  await settleLeft(opening);
  const file = new SlotFile(join(folder, processId), warn);
  return {
    keep(sent, note) {
      const forget = file.keep(JSON.stringify(sent));
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

async function settleLeft({ folder, lives, settle }: Opening): Promise<void> {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    for (const sent of readSent(file)) await settle(sent);
    // One that still writes into its file would write into nothing.
    if (!(await lives(name))) rmSync(file, { force: true });
  }
}

function readSent(file: string): Sent[] {
  try {
    return keptTexts(readFileSync(file, 'utf8')).flatMap((text) => parseSent(text) ?? []);
  } catch (error) {
    // Whose it was has ended meanwhile.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Null where the process died before all of it was written. */
function parseSent(text: string): Sent | null {
  try {
    return sentSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
