import { expect, test } from 'vitest';
import { Drain } from '../../server/drain.ts';

test('waits for work that continues without its client', async () => {
  const drain = new Drain();
  const work = Promise.withResolvers<void>();
  drain.trackWork(work.promise, () => {});
  const told: string[] = [];
  const empty = drain.begin().then(() => told.push('empty'));
  await Promise.resolve();
  told.push('ended');
  work.resolve();
  await empty;
  expect(told).toEqual(['ended', 'empty']);
});

test('stops tracked work when the time is over, and waits for it even if it fails', async () => {
  const drain = new Drain();
  const ended: string[] = [];
  for (const name of ['one', 'other']) {
    const work = Promise.withResolvers<void>();
    drain.trackWork(
      work.promise.finally(() => ended.push(name)),
      () => work.reject(new RangeError('stopped')),
    );
  }
  await drain.abort();
  expect(ended).toEqual(['one', 'other']);
  await drain.begin();
});
