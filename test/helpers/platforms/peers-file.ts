import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A file among what platforms published and really sent, which is no part of this project: `PEERS_DIR` says where that
 * is. Null if there is none; the tests that need it are skipped then, and their names say so.
 */
export function peersFile(path: string): string | null {
  const folder = process.env.PEERS_DIR;
  if (folder === undefined) return null;
  const file = join(folder, path);
  return existsSync(file) ? file : null;
}
