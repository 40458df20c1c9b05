import { afterAll, expect, test } from 'vitest';
import { startDatabaseThread } from '../../../../core/storage/embedded/database-thread.ts';
import { durableStartParameters, passFsyncOn } from '../../../../core/storage/embedded/durable-files.ts';
import { testDataFolder } from '../../../helpers/stores/databases/test-data-folder.ts';

const thread = await startDatabaseThread(testDataFolder());
afterAll(() => thread.close());

test('the shipped database flushes to the disk', () => {
  expect(thread.durable).toBe(true);
});

test('an unknown file layer is reported as not durable', () => {
  expect(passFsyncOn({ root: {} })).toBe(false);
  expect(passFsyncOn(undefined)).toBe(false);
});

test('the flag that disables fsync is removed from the start parameters', () => {
  expect(durableStartParameters(['--single', '-F', '-j'])).not.toContain('-F');
});

test('the engine keeps 32 MB of pages, not the 128 MB of its default', async () => {
  const { rows } = await thread.run({ text: 'show shared_buffers' });
  expect(rows).toEqual([{ shared_buffers: '32MB' }]);
});
