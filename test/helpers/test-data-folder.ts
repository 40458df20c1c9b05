import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, inject } from 'vitest';

/** A folder with an initialised, empty embedded database, removed after the test file. */
export function testDataFolder(): string {
  const template = inject('templateFolder');
  // Inside the run's own folder: what a killed process still writes after its test goes with that at the latest.
  const folder = mkdtempSync(join(dirname(template), 'data-'));
  cpSync(template, folder, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
