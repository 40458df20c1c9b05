import { afterAll, describe, expect, test, vi } from 'vitest';
import { ThreadPool } from '../../../../core/base/threads/thread-pool.ts';

interface Order {
  readonly do: string;
  readonly say?: string;
}

const worker = new URL('../../../helpers/models/test-thread.ts', import.meta.url);
const open: ThreadPool<Order, string>[] = [];
const openPool = (options: { threads?: number; maxHeapMb?: number; idleMs?: number } = {}) => {
  const pool = new ThreadPool<Order, string>({ worker, name: 'test', threads: 1, maxHeapMb: 64, ...options });
  open.push(pool);
  return pool;
};
afterAll(() => Promise.all(open.map((pool) => pool.close())));

const ofA = { owner: 'a', timeoutMs: 60_000 };
const ofB = { owner: 'b', timeoutMs: 60_000 };
const say = (words: string): Order => ({ do: 'say', say: words });

describe('a task that exceeds its limits', () => {
  test.each([
    ['spin', 'timed_out', 500],
    ['fill', 'out_of_memory', 60_000],
    ['fill outside', 'out_of_memory', 60_000],
    ['throw', 'crashed', 60_000],
    ['exit', 'crashed', 60_000],
  ])('%s is reported as %s, and the next task runs', async (order, fault, timeoutMs) => {
    const pool = openPool();
    const failed = pool.run({ do: order }, { ...ofA, timeoutMs });
    await expect(failed).rejects.toMatchObject({ name: 'ThreadError', fault });
    expect(await pool.run(say('next'), ofA)).toBe('next');
  });

  test('a thread that cannot start is reported as unavailable', async () => {
    const missing = new URL('./no-such-thread.ts', import.meta.url);
    const pool = new ThreadPool({ worker: missing, name: 'missing', threads: 1, maxHeapMb: 64 });
    await expect(pool.run('x', ofA)).rejects.toMatchObject({ fault: 'unavailable' });
  });
});

describe('threads are shared fairly', () => {
  test('many tasks of one owner leave a thread for another owner', async () => {
    const pool = openPool({ threads: 3 });
    const stop = new AbortController();
    const endless = [1, 2, 3, 4].map(() => pool.run({ do: 'spin' }, { ...ofA, signal: stop.signal }));
    const ended = Promise.allSettled(endless);
    expect(await pool.run(say('b is served'), ofB)).toBe('b is served');
    stop.abort(new TypeError('enough'));
    expect((await ended).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(await pool.run(say('a is served again'), ofA)).toBe('a is served again');
  });

  test('a free thread goes to the oldest task of an owner without one', async () => {
    const pool = openPool({ threads: 1 });
    const order: string[] = [];
    const doing = (words: string, owner: typeof ofA) =>
      pool.run(say(words), owner).then((said) => order.push(said));
    await Promise.all([doing('a1', ofA), doing('a2', ofA), doing('b1', ofB)]);
    expect(order).toEqual(['a1', 'a2', 'b1']);
  });

  test('a single thread serves every owner', async () => {
    const pool = openPool();
    expect(await Promise.all([pool.run(say('1'), ofA), pool.run(say('2'), ofB)])).toEqual(['1', '2']);
  });
});

describe('stopping', () => {
  test('a thread without a task ends, and the next task gets a new one', async () => {
    const pool = openPool({ idleMs: 1 });
    const first = await pool.run({ do: 'tell thread' }, ofA);
    await vi.waitFor(async () => expect(await pool.run({ do: 'tell thread' }, ofA)).not.toBe(first));
  });

  test('an aborted task rejects with the reason, running or waiting', async () => {
    const pool = openPool();
    const stop = new AbortController();
    const tasks = [1, 2].map(() => pool.run({ do: 'spin' }, { ...ofA, signal: stop.signal }));
    const ended = Promise.allSettled(tasks);
    const reason = new TypeError('superseded');
    stop.abort(reason);
    expect(await ended).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    expect(await pool.run(say('next'), ofA)).toBe('next');
  });

  test('closing rejects running, waiting and later tasks as unavailable', async () => {
    const pool = openPool();
    const ended = Promise.allSettled([pool.run({ do: 'spin' }, ofA), pool.run(say('x'), ofA)]);
    await pool.close();
    for (const outcome of await ended) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { fault: 'unavailable' } });
    }
    await expect(pool.run(say('x'), ofA)).rejects.toMatchObject({ fault: 'unavailable' });
  });
});
