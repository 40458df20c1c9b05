import { existsSync, statfsSync } from 'node:fs';
import { StartError } from '../../base/errors.ts';

const remedies: Record<string, string> = {
  EACCES:
    'this user has no write permission. Change the owner or mode of the folder, or set DATA_DIR to another folder',
  EPERM:
    'this user has no write permission. Change the owner or mode of the folder, or set DATA_DIR to another folder',
  EROFS: 'it is on a read-only file system. Set DATA_DIR to a writable folder',
  ENOSPC: 'the disk is full. Free some space, or set DATA_DIR to a folder on another disk',
  EDQUOT: 'the disk quota is exhausted. Free some space, or set DATA_DIR to a folder on another disk',
  ENOTDIR: 'a part of the path is a file. Set DATA_DIR to a folder',
  EEXIST: 'the path is a file. Set DATA_DIR to a folder',
  EMFILE: 'this process has too many open files. Raise its limit (ulimit -n)',
};

/** SQLite reports the same faults in its own words, without an errno. */
const sqliteCodes: readonly (readonly [RegExp, string])[] = [
  [/readonly database/i, 'EACCES'],
  [/unable to open database/i, 'EACCES'],
  [/database or disk is full|disk I\/O error/i, 'ENOSPC'],
];

/** With less free space the database can neither be created nor opened. */
const MIN_FREE_BYTES = 16 * 2 ** 20;

/** The database's own error for a full disk is not meaningful, so the file system is asked. */
export function fullDiskFault(folder: string, error: unknown): StartError | null {
  if (!existsSync(folder)) return null;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= MIN_FREE_BYTES) return null;
  return new StartError(`Cannot use DATA_DIR ${folder}: ${remedies.ENOSPC}.`, error);
}

/**
 * Converts a fault of the data folder into a StartError with one line of advice. Other errors are returned
 * unchanged.
 */
export function folderFault(folder: string, error: unknown): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error;
  const code = findErrno(error) ?? sqliteCodes.find(([pattern]) => pattern.test(error.message))?.[1];
  const remedy = code === undefined ? undefined : remedies[code];
  return remedy === undefined ? error : new StartError(`Cannot use DATA_DIR ${folder}: ${remedy}.`, error);
}

function findErrno(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' && error.code in remedies ? error.code : undefined;
}
