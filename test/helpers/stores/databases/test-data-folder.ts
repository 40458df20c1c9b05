import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, inject } from 'vitest';

/** A folder with an initialised, empty embedded database, removed after the test file. */
export function testDataFolder(): string {
  const folder = copyTemplate();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same, removed after the run. */
export function copyTemplate(): string {
  const folder = emptyTestFolder();
  cpSync(inject('templateFolder'), folder, { recursive: true });
  return folder;
}

/** Inside the run's own folder: what a killed process still writes after its test goes with that at the latest. */
export function emptyTestFolder(): string {
  return mkdtempSync(join(dirname(inject('templateFolder')), 'data-'));
}
