import { expect, test } from 'vitest';
import { NearWorker } from '../../../core/queue/near-worker.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `job-${index}`);

test('jobs are taken as far as there is room, and done before it is closed', async () => {
  const held = new Map<string, () => void>();
  const worker = new NearWorker({
    concurrency: 40,
    run: (payload) => new Promise((resolve) => held.set(String(payload), resolve)),
    failed: () => {},
  });
  const take = (name: string) => worker.take(name, name);
  expect(names(50).filter(take)).toEqual(names(40));
  await expect.poll(() => [...held.keys()]).toEqual(names(40));
  const closing = worker.close();
  expect([worker.running, take('late')]).toEqual([40, false]);
  for (const end of held.values()) end();
  await closing;
  expect(worker.running).toBe(0);
});

test('a job that fails is told of, with what is needed to try it again', async () => {
  const failures: unknown[] = [];
  const worker = new NearWorker({
    concurrency: 1,
    run: () => Promise.reject(new RangeError('no')),
    failed: (...failure) => failures.push(failure),
  });
  expect(worker.take('lane-1', { lane: 1 })).toBe(true);
  await worker.close();
  expect(failures).toEqual([['lane-1', { lane: 1 }, new RangeError('no')]]);
});
