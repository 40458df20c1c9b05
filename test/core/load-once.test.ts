import { expect, test } from 'vitest';
import { loadOnce } from '../../core/base/async.ts';

test('loads once for all callers', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    return loads;
  });
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

test('loads again after a failure', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new TypeError('out of files');
    return 'loaded';
  });
  await expect(load()).rejects.toThrow('out of files');
  expect(await load()).toBe('loaded');
});
