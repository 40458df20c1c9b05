import { existsSync, statfsSync } from 'node:fs';
import { StartError } from '../../errors.ts';

const remedies: Record<string, string> = {
  EACCES: 'this user may not write there: change its owner or mode, or set DATA_DIR to another folder',
  EPERM: 'this user may not write there: change its owner or mode, or set DATA_DIR to another folder',
  EROFS: 'it is on a read-only file system: set DATA_DIR to a folder that can be written',
  ENOSPC: 'the disk is full: free some space, or set DATA_DIR to a folder on another disk',
  EDQUOT: 'the disk quota is used up: free some space, or set DATA_DIR to a folder on another disk',
  ENOTDIR: 'a part of that path is a file: set DATA_DIR to a folder',
  EEXIST: 'that path is a file: set DATA_DIR to a folder',
  EMFILE: 'this process has too many open files: raise its limit (ulimit -n)',
};

/** SQLite reports the same troubles in words of its own, without an errno. */
const sqliteCodes: readonly (readonly [RegExp, string])[] = [
  [/readonly database/i, 'EACCES'],
  [/unable to open database/i, 'EACCES'],
  [/database or disk is full|disk I\/O error/i, 'ENOSPC'],
];

/** With less than this the database can neither be made nor opened. */
const leastFreeBytes = 16 * 2 ** 20;

/** What the database itself says of a full disk is not to be understood; the file system knows. */
export function fullDiskFault(folder: string, error: unknown): StartError | null {
  if (!existsSync(folder)) return null;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= leastFreeBytes) return null;
  return new StartError(`DATA_DIR ${folder} cannot be used: ${remedies.ENOSPC}.`, error);
}

/**
 * Makes a trouble with the data folder into one line that says what to do.
 * Errors that are none of the folder's are returned as they are.
 */
export function folderFault(folder: string, error: unknown): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error;
  const code = findErrno(error) ?? sqliteCodes.find(([pattern]) => pattern.test(error.message))?.[1];
  const remedy = code === undefined ? undefined : remedies[code];
  return remedy === undefined
    ? error
    : new StartError(`DATA_DIR ${folder} cannot be used: ${remedy}.`, error);
}

function findErrno(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' && error.code in remedies ? error.code : undefined;
}
