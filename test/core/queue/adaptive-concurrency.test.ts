import { nextTick } from 'node:process';
import { expect, test } from 'vitest';
import { AdaptiveConcurrency } from '../../../core/queue/adaptive-concurrency.ts';

function gateOf(utilization: () => number) {
  const gate = new AdaptiveConcurrency({ most: 40, least: 2, mostWhenBusy: 6, utilization });
  const held = new Map<string, (error?: Error) => void>();
  let isOver = false;
  const pass = (name: string) =>
    gate.run(
      ownerOf(name),
      () =>
        new Promise<void>((resolve, reject) => {
          if (isOver) resolve();
          held.set(name, (error) => (error === undefined ? resolve() : reject(error)));
        }),
    );
  const end = (name: string, error?: Error) => {
    held.get(name)?.(error);
    held.delete(name);
  };
  /** Finishes the running jobs and, at once, those that start later. */
  const endAll = () => {
    isOver = true;
    for (const name of held.keys()) end(name);
  };
  return { gate, pass, end, endAll, running: () => [...held.keys()] };
}

/** `work-1` has no particular owner, `Ana-1` belongs to Ana. */
const ownerOf = (name: string) => name.replace(/-\d+$/, '');
const names = (count: number, of = 'work') => Array.from({ length: count }, (_, index) => `${of}-${index}`);

test('jobs that wait for others run concurrently up to the limit', async () => {
  const { pass, end, running } = gateOf(() => 0.1);
  const passing = names(50).map(pass);
  await expect.poll(running).toEqual(names(40));
  for (const name of names(50)) {
    await expect.poll(running).toContain(name);
    end(name);
  }
  await Promise.all(passing);
});

test('the gate is crowded while jobs wait', async () => {
  const { gate, pass, end, endAll, running } = gateOf(() => 0.1);
  const passing = names(40).map(pass);
  await expect.poll(() => running().length).toBe(40);
  expect(gate.isCrowded).toBe(false);
  passing.push(pass('work-40'));
  expect(gate.isCrowded).toBe(true);
  end('work-0');
  await expect.poll(() => gate.isCrowded).toBe(false);
  endAll();
  await Promise.all(passing);
});

test('each owner can start some jobs, however many of other owners are stuck', async () => {
  const { pass, end, endAll, running } = gateOf(() => 0.1);
  const stuck = [...names(30, 'Ana'), ...names(30, 'Ben')];
  const passing = stuck.map(pass);
  await expect.poll(() => running().length).toBe(40);
  passing.push(...names(3, 'Eva').map(pass));
  await expect.poll(() => running().slice(40)).toEqual(['Eva-0', 'Eva-1']);
  end('Eva-0');
  await expect.poll(() => running().slice(40)).toEqual(['Eva-1', 'Eva-2']);
  endAll();
  await Promise.all(passing);
});

test('owners start jobs round robin, however many one of them has', async () => {
  const { pass, endAll, running } = gateOf(() => 1);
  const passing = names(30, 'Ana').map(pass);
  await expect.poll(() => running().length).toBeGreaterThanOrEqual(6);
  const began = running().length;
  passing.push(...['Ben-0', 'Ben-1'].map(pass));
  await expect.poll(() => running().length, { interval: 1 }).toBeGreaterThanOrEqual(began + 4);
  const then = running().slice(began);
  expect(then.filter((name) => name.startsWith('Ben'))).toEqual(['Ben-0', 'Ben-1']);
  endAll();
  await Promise.all(passing);
});

test('while the process is busy six jobs start at once, then one at a time, in order, until all are done', async () => {
  const looks: number[] = [];
  const { pass, end, running } = gateOf(() => {
    looks.push(running().length);
    return 1;
  });
  const passing = names(12).map(pass);
  await expect.poll(running).toEqual(names(12));
  expect(looks.slice(0, 6)).toEqual([6, 7, 8, 9, 10, 11]);
  for (const name of names(12)) end(name);
  await Promise.all(passing);
});

test('while the process is busy more jobs start after many were completed, up to a limit', async () => {
  const whenProven = { oneForEach: 10, most: 5 };
  const gate = new AdaptiveConcurrency({ most: 40, mostWhenBusy: 2, whenProven, utilization: () => 1 });
  const beginAtOnce = async (outcome: () => Promise<void>) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let begun = 0;
    const work = async () => {
      begun += 1;
      await promise;
      await outcome();
    };
    const passing = names(20).map((name) => gate.run(name, work));
    // Before the sample timer fires.
    await new Promise<void>((settle) => nextTick(settle));
    const atOnce = begun;
    resolve();
    await Promise.allSettled(passing);
    return atOnce;
  };
  const well = async () => {};
  const failing = () => Promise.reject(new RangeError('no'));
  const seen: number[] = [];
  for (const outcome of [failing, failing, failing, well, well, well, well, well])
    seen.push(await beginAtOnce(outcome));
  expect(seen).toEqual([2, 2, 2, 2, 2, 4, 5, 5]);
});

test('a failing job frees its slot, and its caller gets the error', async () => {
  const { pass, end, running } = gateOf(() => 1);
  const passing = names(7).map(pass);
  await expect.poll(running).toContain('work-0');
  end('work-0', new RangeError('no'));
  await expect(passing[0]).rejects.toThrow(RangeError);
  await expect.poll(running).toEqual(names(7).slice(1));
  for (const name of names(7)) end(name);
  await Promise.all(passing.slice(1));
});
