import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { StartError } from '../../errors.ts';
import { folderFault } from './folder-fault.ts';
import { makePrivateFolder } from './private-folder.ts';

/** What the holder of a data folder says of itself, for others who want the folder. */
const holderSchema = z.object({ pid: z.number(), address: z.string().optional() });
type Holder = z.output<typeof holderSchema>;

export interface DataFolderLock {
  /** Tells others where the holder's server listens. */
  announce(address: string): void;
  release(): void;
}

/**
 * Takes the data folder for this process, or throws a StartError that says who has it.
 *
 * The lock is the operating system's own on an SQLite file: the kernel drops it when its holder dies, however it
 * dies, so there is no stale lock to judge by age or process number, also when two containers share the folder.
 */
export function lockDataFolder(folder: string, pid: number): DataFolderLock {
  try {
    requireWritable(folder);
    makePrivateFolder(folder);
    const database = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
    if (!takeExclusively(database)) {
      database.close();
      throw new StartError(refusal(folder, readHolder(folder)));
    }
    const tell = (holder: Holder) =>
      writeFileSync(join(folder, 'holder.json'), JSON.stringify(holder), { mode: 0o600 });
    tell({ pid });
    return { announce: (address) => tell({ pid, address }), release: () => database.close() };
  } catch (error) {
    throw folderFault(folder, error);
  }
}

/** Who holds the folder now, as far as it said; null when it said nothing readable. */
export function readHolder(folder: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8')));
  } catch {
    return null;
  }
}

/** Asked first, for making a folder on a read-only file system fails with the wrong reason. */
function requireWritable(folder: string): void {
  if (existsSync(folder)) accessSync(folder, constants.W_OK);
  else if (dirname(folder) !== folder) requireWritable(dirname(folder));
}

function takeExclusively(database: DatabaseSync): boolean {
  try {
    database.exec('begin exclusive');
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('database is locked')) return false;
    throw error;
  }
}

function refusal(folder: string, holder: Holder | null): string {
  const who = holder === null ? 'Another process' : `Process ${holder.pid}`;
  return `${who} is using DATA_DIR ${folder}: stop it first, or give this one another DATA_DIR.`;
}
