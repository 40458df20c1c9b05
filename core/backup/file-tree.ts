import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  cpSync,
  createReadStream,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';

/** The paths below a folder, relative to it and with slashes, each list in order. */
interface FileTree {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** Links, devices and sockets. A backup has none. */
  readonly others: readonly string[];
}

export function listTree(root: string): FileTree {
  const folders: string[] = [];
  const files: string[] = [];
  const others: string[] = [];
  const walk = (below: string): void => {
    const entries = readdirSync(join(root, below), { withFileTypes: true });
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        folders.push(path);
        walk(path);
      } else if (entry.isFile()) files.push(path);
      else others.push(path);
    }
  };
  walk('');
  return { folders, files, others };
}

export interface FileFacts {
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export async function hashFile(path: string): Promise<FileFacts> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('expected bytes');
    bytes += chunk.length;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Takes a file or folder from everybody but its owner, and writes it to the disk. */
export function secureEntry(path: string): void {
  chmodSync(path, lstatSync(path).isDirectory() ? 0o700 : 0o600);
  syncEntry(path);
}

/** Makes the content of a file, or the names in a folder, survive a power failure. */
export function syncEntry(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Moves a folder, also to another disk. */
export function moveFolder(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    cpSync(from, to, { recursive: true });
    rmSync(from, { recursive: true, force: true });
  }
}
