import { expect, test } from 'vitest';
import { Drain } from '../../server/drain.ts';

test('work that goes on without its caller is waited for', async () => {
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

test('what is held when time is over is told to stop, and waited for, also where it fails', async () => {
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
