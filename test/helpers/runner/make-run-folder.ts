import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const memoryDisk = '/dev/shm';
/** A whole run leaves two of them in its folder, and its programs take eight. */
const roomBytes = 12 * 2 ** 30;

/** Makes a folder for the run: in memory if there is enough, because hundreds of databases are copied into it. */
export function makeRunFolder(): string {
  return mkdtempSync(join(hasRoom() ? memoryDisk : tmpdir(), 'parley-test-'));
}

function hasRoom(): boolean {
  if (!existsSync(memoryDisk) || freemem() < roomBytes) return false;
  const { bavail, bsize } = statfsSync(memoryDisk);
  return bavail * bsize >= roomBytes;
}
