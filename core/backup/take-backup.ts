import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makePrivateFolder } from '../storage/embedded/private-folder.ts';
import { BackupRefusal } from './backup-refusal.ts';
import type { DatabaseFacts } from './database-facts.ts';
import { hashFile, listTree, secureEntry, syncEntry } from './file-tree.ts';
import { type Manifest, writeManifest } from './manifest.ts';

interface BackupTask {
  /** The folder that holds the backups. */
  readonly to: string;
  readonly now: Date;
  /** The version of Parley. */
  readonly version: string;
  readonly engine: Manifest['engine'];
  /** Writes the files of the database into the folder. */
  readonly fill: (folder: string) => Promise<DatabaseFacts>;
}

/** A backup that is complete. */
export interface TakenBackup {
  readonly folder: string;
  readonly takenAt: Date;
  readonly keyId: string | null;
  readonly bytes: number;
  readonly rows: number;
  readonly tables: number;
}

/** By then the command that wrote it has ended. */
const LEFT_OVER_MS = 24 * 3_600_000;
const UNFINISHED = /^\.parley-[\dTZ-]+\.unfinished$/;

/**
 * Writes a backup under a temporary name and renames it at the end, so that a backup is whole or absent. Its folders and
 * files are private. Throws a BackupRefusal.
 */
export async function takeBackup({ to, now, version, engine, fill }: BackupTask): Promise<TakenBackup> {
  const name = `parley-${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const folder = resolve(to, name);
  const unfinished = resolve(to, `.${name}.unfinished`);
  try {
    makePrivateFolder(to);
    removeLeftOvers(to, now);
    if (existsSync(folder)) throw new BackupRefusal(`${folder} exists already. Try again in a second.`);
    mkdirSync(unfinished, { mode: 0o700 });
  } catch (error) {
    throw writeFault(to, error);
  }
  try {
    const facts = await fill(unfinished);
    const { folders, files } = listTree(unfinished);
    const hashed = [];
    for (const path of files) {
      secureEntry(join(unfinished, path));
      hashed.push({ path, ...(await hashFile(join(unfinished, path))) });
    }
    writeManifest(unfinished, {
      ...{ version, engine, engine_version: facts.engineVersion, taken_at: now.toISOString() },
      ...{ key_id: facts.keyId, migrations: [...facts.migrations], tables: { ...facts.tables } },
      ...{ folders: [...folders], files: hashed },
    });
    for (const path of folders) secureEntry(join(unfinished, path));
    secureEntry(unfinished);
    renameSync(unfinished, folder);
    syncEntry(resolve(to));
    const counts = Object.values(facts.tables);
    return {
      ...{ folder, takenAt: now, keyId: facts.keyId },
      bytes: hashed.reduce((sum, { bytes }) => sum + bytes, 0),
      rows: counts.reduce((sum, count) => sum + count, 0),
      tables: counts.length,
    };
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw writeFault(to, error);
  }
}

/** Removes what commands left that were killed. */
function removeLeftOvers(to: string, now: Date): void {
  for (const name of readdirSync(to).filter((each) => UNFINISHED.test(each))) {
    const path = join(to, name);
    if (now.getTime() - statSync(path).mtimeMs > LEFT_OVER_MS) rmSync(path, { recursive: true, force: true });
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there. Give another folder with --to',
  EPERM: 'this user may not write there. Give another folder with --to',
  EROFS: 'it is on a read-only file system. Give another folder with --to',
  ENOSPC: 'the disk is full. Free some space, or give a folder on another disk with --to',
  EDQUOT: 'the disk quota is exhausted. Free some space, or give a folder on another disk with --to',
  ENOTDIR: 'a part of the path is a file. Give a folder with --to',
  EEXIST: 'another backup is being written there. Wait for its end',
};

/** Turns a fault of the file system into a BackupRefusal. Other errors are returned unchanged. */
export function writeFault(folder: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = reasons[code];
  return reason === undefined ? error : new BackupRefusal(`Cannot write to ${folder}: ${reason}.`, error);
}
