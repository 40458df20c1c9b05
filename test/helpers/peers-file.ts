import { join } from 'node:path';

/** A file among what platforms published and really sent, which is no part of this project; null where there is none. */
export function peersFile(path: string): string | null {
  const folder = process.env.PEERS_DIR;
  return folder === undefined ? null : join(folder, path);
}
