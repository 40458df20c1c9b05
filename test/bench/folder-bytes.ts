import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the size of all files below the folder, without the write-ahead log, whose size tells nothing about that of
 * the data.
 */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    if (entry.name === 'pg_wal') return 0;
    const path = join(folder, entry.name);
    return entry.isDirectory() ? folderBytes(path) : (await stat(path)).size;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
