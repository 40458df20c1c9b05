import { randomBytes } from 'node:crypto';
import {
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { AppError, StartError } from '../base/errors.ts';
import type { Database } from '../storage/database.ts';
import { lockDataFolder } from '../storage/embedded/data-folder-lock.ts';
import { startDatabaseThread } from '../storage/embedded/database-thread.ts';
import { makePrivateFolder } from '../storage/embedded/private-folder.ts';
import { BackupRefusal } from './backup-refusal.ts';
import { compareCounts, countRows, type DatabaseFacts, type RunQuery, readFacts } from './database-facts.ts';
import { moveFolder, secureEntry, syncEntry } from './file-tree.ts';
import type { Manifest } from './manifest.ts';
import { writeFault } from './take-backup.ts';

/** The folder of the database in DATA_DIR and in a backup. */
const DATABASE = 'postgres';
/** The folder in DATA_DIR with copies that a running process makes. */
const COPIES = 'backup-copies';
/** By then the command that asked for a copy has moved it away, or was killed. */
const COPY_LIVES_MS = 3_600_000;
const COPY_ID = /^copy-[0-9a-f]{16}$/;

/**
 * Copies the files of the running database into DATA_DIR and returns the id of the copy. Throws `copy_not_possible` if the
 * database is not the embedded one, or the disk has no room.
 */
export async function copyRunning(
  { copyFiles }: Pick<Database, 'copyFiles'>,
  { folder, clock }: { readonly folder: string; readonly clock: Clock },
): Promise<string> {
  if (copyFiles === null) throw new AppError('copy_not_possible');
  const copies = join(folder, COPIES);
  makePrivateFolder(copies);
  for (const name of readdirSync(copies)) {
    const age = clock.now().getTime() - statSync(join(copies, name)).mtimeMs;
    if (age > COPY_LIVES_MS) rmSync(join(copies, name), { recursive: true, force: true });
  }
  const id = `copy-${randomBytes(8).toString('hex')}`;
  try {
    await copyFiles(join(copies, id));
  } catch (error) {
    rmSync(join(copies, id), { recursive: true, force: true });
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    if (!isFull) throw error;
    const detail =
      'DATA_DIR has no room for a copy of the database. Free some space, or stop the process first.';
    throw new AppError('copy_not_possible', { detail, cause: error });
  }
  return id;
}

/** Moves a copy that the running process made into the backup. */
export async function fillFromCopy(dataDir: string, id: string, folder: string): Promise<DatabaseFacts> {
  if (!COPY_ID.test(id))
    throw new BackupRefusal('The server returned no copy. Check that it has this version.');
  moveFolder(join(dataDir, COPIES, id), join(folder, DATABASE));
  return readCopy(folder);
}

/** Copies the database of a folder that no process uses. Throws a StartError that names the process if one does. */
export async function fillFromStopped(dataDir: string, folder: string): Promise<DatabaseFacts> {
  requireDatabase(dataDir);
  const lock = lockDataFolder(dataDir, process.pid);
  try {
    cpSync(join(dataDir, DATABASE), join(folder, DATABASE), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
    });
  } finally {
    lock.release();
  }
  return readCopy(folder);
}

function requireDatabase(dataDir: string): void {
  if (existsSync(join(dataDir, DATABASE))) return;
  throw new BackupRefusal(
    `DATA_DIR ${dataDir} holds no database. Set DATA_DIR or DATABASE_URL as for the server.`,
  );
}

/** Opens the copy: what cannot be opened and counted is no backup. Closing it leaves it as after an orderly stop. */
async function readCopy(folder: string): Promise<DatabaseFacts> {
  return withDatabase(folder, readFacts);
}

async function withDatabase<Result>(
  folder: string,
  use: (run: RunQuery) => Promise<Result>,
): Promise<Result> {
  const thread = await startDatabaseThread(folder);
  try {
    return await use(async (text) => (await thread.run({ text })).rows);
  } finally {
    await thread.close();
  }
}

/** Names that an empty DATA_DIR may hold: keys, the lock, and what Parley makes anew. */
const harmless: ReadonlySet<string> = new Set([
  'encryption-key',
  'encryption-key-previous',
  'admin-token',
  'lock.sqlite',
  'lock.sqlite-journal',
  'holder.json',
  'backups',
  'cache',
  'lost+found',
  'restoring',
]);

/**
 * Restores the backup into a DATA_DIR without a database that no process uses. The database appears at the end, when its
 * rows are counted. Throws a BackupRefusal or a StartError.
 */
export async function restoreEmbedded(backup: string, manifest: Manifest, dataDir: string): Promise<void> {
  const lock = lockDataFolder(dataDir, process.pid);
  const restoring = join(dataDir, 'restoring');
  try {
    const [holds] = readdirSync(dataDir).filter((name) => !harmless.has(name));
    if (holds !== undefined) {
      throw new BackupRefusal(
        `DATA_DIR ${dataDir} is not empty: it holds ${holds}. Set DATA_DIR to a new folder that holds the encryption key at most.`,
      );
    }
    rmSync(restoring, { recursive: true, force: true });
    copyListed(backup, manifest, restoring);
    const found = await openRestored(restoring, manifest);
    const differences = compareCounts(manifest.tables, found);
    if (differences.length > 0) {
      throw new BackupRefusal(
        `The restored rows differ: ${differences.slice(0, 5).join(', ')}. Use another backup.`,
      );
    }
    renameSync(join(restoring, DATABASE), join(dataDir, DATABASE));
    syncEntry(dataDir);
  } catch (error) {
    throw writeFault(dataDir, error);
  } finally {
    rmSync(restoring, { recursive: true, force: true });
    lock.release();
  }
}

async function openRestored(folder: string, manifest: Manifest): Promise<Readonly<Record<string, number>>> {
  try {
    return await withDatabase(folder, countRows);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new BackupRefusal(
      `This version of Parley cannot open the database of the backup (PostgreSQL ${manifest.engine_version}). Restore it with Parley ${manifest.version}.`,
      error,
    );
  }
}

/** Folders come from the manifest too: the database needs some that are empty, which not every copy keeps. */
function copyListed(backup: string, manifest: Manifest, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const path of manifest.folders) mkdirSync(join(to, path), { recursive: true, mode: 0o700 });
  for (const { path } of manifest.files) {
    copyFileSync(join(backup, path), join(to, path), constants.COPYFILE_FICLONE);
    secureEntry(join(to, path));
  }
}
