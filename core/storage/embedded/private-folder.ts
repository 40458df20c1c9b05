import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from '../../log.ts';

const othersMay = 0o077;
/** Of a folder that all users share, such as /tmp. */
const sticky = 0o1000;

/** Makes a folder, and those above it that are absent, for this user alone. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/**
 * Takes the permissions of group and others from a folder and all that is in it: the files of the embedded database come
 * with mode 666, and older versions left the folder open. Where that fails the first path is named in the log.
 */
export function restrictFolder(folder: string, log: Pick<Logger, 'warn'>): void {
  const failed = restrict(folder);
  if (failed !== null) log.warn(failed, 'file permissions could not be restricted');
}

interface Failed {
  readonly path: string;
  readonly err: unknown;
}

/** Returns the first failure, and goes on with the rest. */
function restrict(path: string): Failed | null {
  try {
    const entry = lstatSync(path);
    if (entry.isSymbolicLink()) return null;
    const mode = entry.mode & 0o7777;
    if (isShared(path, mode)) return { path, err: 'all users of this machine share this folder' };
    if ((mode & othersMay) !== 0) chmodSync(path, mode & ~othersMay);
    return entry.isDirectory() ? firstFailure(path) : null;
  } catch (err) {
    return isGone(err) ? null : { path, err };
  }
}

function firstFailure(folder: string): Failed | null {
  const failures = readdirSync(folder).map((name) => restrict(join(folder, name)));
  return failures.find((failed) => failed !== null) ?? null;
}

function isShared(path: string, mode: number): boolean {
  return (mode & sticky) !== 0 || dirname(path) === path;
}

/** Other processes make and remove files there. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
