import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder that is removed when the process ends, unless it is killed. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}
