import { afterAll, expect, test } from 'vitest';
import { startDatabaseThread } from '../../../../core/storage/embedded/database-thread.ts';
import { durableStartParameters, passFsyncOn } from '../../../../core/storage/embedded/durable-files.ts';
import { testDataFolder } from '../../../helpers/stores/test-data-folder.ts';

const thread = await startDatabaseThread(testDataFolder());
afterAll(() => thread.close());

test('the database that ships flushes to the disk', () => {
  expect(thread.durable).toBe(true);
});

test('a file layer of another shape is told, not trusted', () => {
  expect(passFsyncOn({ root: {} })).toBe(false);
  expect(passFsyncOn(undefined)).toBe(false);
});

test('the flag that switches fsync off is taken out of the start parameters', () => {
  expect(durableStartParameters(['--single', '-F', '-j'])).not.toContain('-F');
});
