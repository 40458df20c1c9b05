import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A file among what platforms published and really sent, which is no part of this project: `PEERS_DIR` says where that
 * is. Null where there is none; what needs it is skipped then, and says so in its name.
 */
export function peersFile(path: string): string | null {
  const folder = process.env.PEERS_DIR;
  if (folder === undefined) return null;
  const file = join(folder, path);
  return existsSync(file) ? file : null;
}
