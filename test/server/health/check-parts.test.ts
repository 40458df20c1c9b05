import { expect, test } from 'vitest';
import { checkParts } from '../../../server/health/check-parts.ts';
import { openTestRuntime } from '../../helpers/open-test-runtime.ts';

const runtime = await openTestRuntime();

test('workers are missing until a process says that it has them, then every part is ok', async () => {
  expect(await checkParts(runtime)).toMatchObject({ database: 'ok', workers: 'failed' });
  await runtime.processes.take('workers');
  expect(await checkParts(runtime)).toEqual({
    database: 'ok',
    queue: 'ok',
    embedder: 'ok',
    workers: 'ok',
  });
});

test('a part that fails is named, and the others are still looked at', async () => {
  const queue = { ...runtime.queue, ping: () => Promise.reject(new TypeError('gone')) };
  expect(await checkParts({ ...runtime, queue })).toEqual({
    database: 'ok',
    queue: 'failed',
    embedder: 'ok',
    workers: 'ok',
  });
});

test('a part that does not answer has failed', async () => {
  const embedder = { ...runtime.embedder, check: () => new Promise<never>(() => {}) };
  expect(await checkParts({ ...runtime, embedder })).toMatchObject({ database: 'ok', embedder: 'failed' });
});
