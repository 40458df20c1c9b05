import { expect, test } from 'vitest';
import { NearWorker } from '../../../core/queue/near-worker.ts';

function workerOf(utilization: () => number) {
  const held = new Map<string, () => void>();
  const worker = new NearWorker({
    concurrency: 40,
    utilization,
    run: (payload) => new Promise((resolve) => held.set(String(payload), resolve)),
    failed: () => {},
  });
  const take = (name: string) => worker.take(name, name);
  const end = (name: string) => {
    held.get(name)?.();
    held.delete(name);
  };
  return { worker, take, end, running: () => [...held.keys()] };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `job-${index}`);

test('jobs that wait for others run side by side, up to the room that there is', async () => {
  const { worker, take, end, running } = workerOf(() => 0.1);
  expect(names(50).filter(take)).toEqual(names(40));
  await expect.poll(running).toEqual(names(40));
  expect(worker.running).toBe(40);
  names(40).forEach(end);
  await worker.close();
  expect([worker.running, take('late')]).toEqual([0, false]);
});

test('while the process is busy few run at a time, each in its turn, and all are done', async () => {
  const looked = Promise.withResolvers<void>();
  const { worker, take, end, running } = workerOf(() => {
    looked.resolve();
    return 1;
  });
  take('first');
  await looked.promise;
  const rest = names(30);
  expect(rest.filter(take)).toEqual(rest);
  const order: string[] = [];
  while (order.length < 31) {
    await expect.poll(() => running().length).toBe(Math.min(6, 31 - order.length));
    const [next = ''] = running();
    order.push(next);
    end(next);
  }
  expect(order).toEqual(['first', ...rest]);
  await worker.close();
});
