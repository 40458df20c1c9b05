import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

const ESCAPE = /%[89A-F][\dA-F]/g;

/** Returns the name of a file as part of a key. Bytes that are no UTF-8 are written as `%FC`. */
export function toKeyName(name: Buffer): string {
  const text = name.toString('utf8');
  if (Buffer.from(text).equals(name)) return text;
  return Array.from(name, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`,
  ).join('');
}

/** Returns the path of a key below a folder. A file that is really named so comes before one whose name is written so. */
export async function findPath(root: string, key: string): Promise<string | Buffer> {
  const path = join(root, key);
  if (key.search(ESCAPE) === -1 || (await exists(path))) return path;
  const parts = key
    .split('/')
    .map((part) => (part.search(ESCAPE) === -1 ? Buffer.from(part) : toBytes(part)));
  return Buffer.concat([Buffer.from(root), ...parts.flatMap((part) => [Buffer.from('/'), part])]);
}

function toBytes(name: string): Buffer {
  const latin = name.replace(ESCAPE, (escaped) => String.fromCharCode(Number.parseInt(escaped.slice(1), 16)));
  return Buffer.from(latin, 'latin1');
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}
