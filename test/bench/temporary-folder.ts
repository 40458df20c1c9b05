import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that is gone when the process ends, however it ends but by a kill. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}
