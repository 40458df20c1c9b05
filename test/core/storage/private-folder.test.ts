import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../core/base/log.ts';
import { openDatabase } from '../../../core/storage/database.ts';
import { restrictFolder } from '../../../core/storage/embedded/private-folder.ts';
import { copyTemplate, emptyTestFolder } from '../../helpers/stores/databases/test-data-folder.ts';

/** Returns the permissions of group and others in `folder`, including the folder itself. */
function openPlaces(folder: string): string[] {
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return ['.', ...inside].filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
}

function openFolder(): string {
  const folder = emptyTestFolder();
  mkdirSync(join(folder, 'inside'));
  writeFileSync(join(folder, 'inside', 'file'), '', { mode: 0o666 });
  chmodSync(join(folder, 'inside', 'file'), 0o666);
  chmodSync(folder, 0o755);
  return folder;
}

function warnings() {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line: string) => void lines.push(line) });
  return { lines, log };
}

test('a start removes the permissions of others from an existing data folder', async () => {
  const folder = copyTemplate();
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'postgres'), 0o755);
  expect(openPlaces(folder).length).toBeGreaterThan(2);
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined }, createLog('silent'));
  onTestFinished(() => database.close());
  expect(openPlaces(folder)).toEqual([]);
  expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700);
});

test('the first start creates a data folder that only its owner can open', async () => {
  const folder = join(emptyTestFolder(), 'made', 'here');
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined }, createLog('silent'));
  await database.pool.query('create table written (id int)');
  await database.close();
  expect(openPlaces(folder)).toEqual([]);
});

test('the content of a folder becomes private as well', () => {
  const folder = openFolder();
  const { lines, log } = warnings();
  restrictFolder(folder, log);
  expect(openPlaces(folder)).toEqual([]);
  expect(lines).toEqual([]);
});

test('a missing folder is ignored', () => {
  const { lines, log } = warnings();
  restrictFolder(join(emptyTestFolder(), 'absent'), log);
  expect(lines).toEqual([]);
});

/** A file that not even root can change. */
const fixed = '/proc/self/task';

test.skipIf(!existsSync(fixed))('a folder whose permissions cannot be changed is logged once', () => {
  const { lines, log } = warnings();
  restrictFolder(fixed, log);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: 'file permissions could not be restricted',
    path: fixed,
    err: { code: 'EPERM' },
  });
});

test('a folder that all users share, such as /tmp, is not changed', () => {
  const folder = openFolder();
  chmodSync(folder, 0o1777);
  const { lines, log } = warnings();
  restrictFolder(folder, log);
  expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  expect(lines).toHaveLength(1);
});
