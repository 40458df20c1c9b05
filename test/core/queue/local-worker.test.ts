import { expect, test } from 'vitest';
import { AdaptiveConcurrency } from '../../../core/queue/adaptive-concurrency.ts';
import { LocalWorker } from '../../../core/queue/local-worker.ts';

/** Each job has its own owner. */
const jobOf = (id: string) => ({ id, payload: id, owner: id });
const names = (count: number) => Array.from({ length: count }, (_, index) => `job-${index}`);

test('jobs are accepted while there is room; on close, running jobs finish and waiting ones are passed on', async () => {
  const held = new Map<string, () => void>();
  const passedOn: unknown[] = [];
  const worker = new LocalWorker({
    ...{ capacity: 40, maxBeforeReserve: 40 },
    gate: new AdaptiveConcurrency({ most: 20, mostWhenBusy: 20 }),
    run: (payload) => new Promise((resolve) => held.set(String(payload), resolve)),
    passOn: async (...told) => void passedOn.push(told),
  });
  const take = (id: string) => worker.tryRun(jobOf(id));
  expect([worker.isCrowded, take('job-0'), worker.isCrowded]).toEqual([false, true, false]);
  expect(names(50).slice(1).filter(take)).toEqual(names(40).slice(1));
  expect(worker.isCrowded).toBe(true);
  await expect.poll(() => [...held.keys()]).toEqual(names(20));
  const closing = worker.close();
  expect([worker.size, take('late')]).toEqual([40, false]);
  for (const end of held.values()) end();
  await closing;
  expect(worker.size).toBe(0);
  const left = names(40).slice(20);
  expect(passedOn).toEqual(left.map((id) => [jobOf(id)]));
  expect(held.size).toBe(20);
});

test('a waiting job is not accepted twice, but a running one is', async () => {
  const ends: (() => void)[] = [];
  const begun: unknown[] = [];
  const worker = new LocalWorker({
    ...{ capacity: 10, maxBeforeReserve: 10 },
    gate: new AdaptiveConcurrency({ most: 1, mostWhenBusy: 1 }),
    run(payload) {
      begun.push(payload);
      return new Promise((resolve) => ends.push(resolve));
    },
    passOn: async () => {},
  });
  const take = (lane: number) => worker.tryRun({ id: `job-${lane}`, payload: { lane }, owner: 'Ana' });
  expect([take(1), take(2), take(1), take(2), worker.size]).toEqual([true, true, true, true, 2]);
  await expect.poll(() => begun).toEqual([{ lane: 1 }]);
  expect([take(1), take(1), worker.size]).toEqual([true, true, 3]);
  for (const more of [2, 3]) {
    ends.shift()?.();
    await expect.poll(() => begun.length).toBe(more);
  }
  ends.shift()?.();
  expect(begun).toEqual([{ lane: 1 }, { lane: 2 }, { lane: 1 }]);
  await worker.close();
});

test('a failed job is passed on with its error', async () => {
  const passedOn: unknown[] = [];
  const worker = new LocalWorker({
    ...{ capacity: 1, maxBeforeReserve: 1 },
    gate: new AdaptiveConcurrency({ most: 1, mostWhenBusy: 1 }),
    run: () => Promise.reject(new RangeError('no')),
    passOn: async (...told) => void passedOn.push(told),
  });
  const job = { id: 'lane-1', payload: { lane: 1 }, owner: 'Ana' };
  expect(worker.tryRun(job)).toBe(true);
  await expect.poll(() => passedOn).toEqual([[job, new RangeError('no')]]);
  await worker.close();
});

test('a reserved slot starts its job soon, even after the worker was closed', async () => {
  const done: unknown[] = [];
  const worker = new LocalWorker({
    ...{ capacity: 3, maxBeforeReserve: 2 },
    gate: new AdaptiveConcurrency({ most: 2, mostWhenBusy: 2 }),
    run: async (payload) => void done.push(payload),
    passOn: async () => {},
  });
  const [one, other] = [worker.reserveSlot('Ana'), worker.reserveSlot('Ana')];
  expect([worker.reserveSlot('Ben'), worker.size]).toEqual([null, 2]);
  other?.leave();
  await expect.poll(() => worker.size).toBe(1);
  const closing = worker.close();
  expect(worker.reserveSlot('Ana')).toBeNull();
  one?.begin({ id: 'lane-1', payload: 'lane' });
  await closing;
  expect([done, worker.size]).toEqual([['lane'], 0]);
});

test('each owner can have some jobs, however many the others have', async () => {
  const worker = new LocalWorker({
    ...{ capacity: 8, maxBeforeReserve: 100, minPerOwner: 2 },
    gate: new AdaptiveConcurrency({ most: 8, mostWhenBusy: 8 }),
    run: async () => {},
    passOn: async () => {},
  });
  const takenOf = (owner: string) =>
    names(16).filter((id) => worker.tryRun({ ...jobOf(`${owner} ${id}`), owner })).length;
  expect([takenOf('Ana'), worker.reserveSlot('Ana'), takenOf('Ben'), takenOf('Eva')]).toEqual([
    8,
    null,
    2,
    2,
  ]);
  await worker.close();
});
