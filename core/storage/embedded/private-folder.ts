import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from '../../base/log.ts';

const GROUP_AND_OTHERS = 0o077;
/** The bit that is set on folders that all users share, such as /tmp. */
const STICKY = 0o1000;

/** Creates a folder and its missing parents for this user only. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/**
 * Removes the permissions of group and others from a folder and everything in it: the embedded database creates
 * files with mode 666. It logs the first path that fails.
 */
export function restrictFolder(folder: string, log: Pick<Logger, 'warn'>): void {
  const failed = restrict(folder);
  if (failed !== null) log.warn(failed, 'file permissions could not be restricted');
}

interface Failed {
  readonly path: string;
  readonly err: unknown;
}

/** Continues after a failure and returns the first one. */
function restrict(path: string): Failed | null {
  try {
    const entry = lstatSync(path);
    if (entry.isSymbolicLink()) return null;
    const mode = entry.mode & 0o7777;
    if (isShared(path, mode)) return { path, err: 'all users of this machine share this folder' };
    if ((mode & GROUP_AND_OTHERS) !== 0) chmodSync(path, mode & ~GROUP_AND_OTHERS);
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
  return (mode & STICKY) !== 0 || dirname(path) === path;
}

/** Other processes create and remove files in the folder. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
