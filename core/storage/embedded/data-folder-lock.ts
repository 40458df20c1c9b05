import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { StartError } from '../../base/errors.ts';
import { folderFault } from './folder-fault.ts';
import { makePrivateFolder } from './private-folder.ts';

/** Describes the holder of a data folder to other processes. */
const holderSchema = z.object({ pid: z.number(), address: z.string().optional() });
type Holder = z.output<typeof holderSchema>;

export interface DataFolderLock {
  /** Publishes the address of the holder's server. */
  announce(address: string): void;
  release(): void;
}

/**
 * Locks the data folder for this process. Throws a StartError that names the holder.
 *
 * The lock is an operating-system lock on an SQLite file: the kernel releases it when the holder dies, however
 * it dies. So there are no stale locks to judge by age or process id, even if two containers share the folder.
 */
export function lockDataFolder(folder: string, pid: number): DataFolderLock {
  try {
    requireWritable(folder);
    makePrivateFolder(folder);
    const database = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
    if (!lockExclusively(database)) {
      database.close();
      throw new StartError(refusal(folder, readHolder(folder)));
    }
    const writeHolder = (holder: Holder) =>
      writeFileSync(join(folder, 'holder.json'), JSON.stringify(holder), { mode: 0o600 });
    writeHolder({ pid });
    return { announce: (address) => writeHolder({ pid, address }), release: () => database.close() };
  } catch (error) {
    throw folderFault(folder, error);
  }
}

/** Returns the holder of the folder, or null if it has not published readable data. */
export function readHolder(folder: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8')));
  } catch {
    return null;
  }
}

/** Checked first, because creating a folder on a read-only file system fails with a misleading reason. */
function requireWritable(folder: string): void {
  if (existsSync(folder)) accessSync(folder, constants.W_OK);
  else if (dirname(folder) !== folder) requireWritable(dirname(folder));
}

function lockExclusively(database: DatabaseSync): boolean {
  try {
    database.exec('begin exclusive');
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('database is locked')) return false;
    throw error;
  }
}

function refusal(folder: string, holder: Holder | null): string {
  const user = holder === null ? 'Another process' : `Process ${holder.pid}`;
  return `${user} is using DATA_DIR ${folder}. Stop it first, or set DATA_DIR to another folder for this process.`;
}
