import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';

/** A folder with an initialised, empty embedded database, removed after the test file. */
export function testDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-data-'));
  cpSync(inject('templateFolder'), folder, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
