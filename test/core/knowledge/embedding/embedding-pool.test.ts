import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EmbeddingError } from '../../../../core/knowledge/embedding/embedder.ts';
import {
  EmbeddingPool,
  type EmbeddingPoolOptions,
} from '../../../../core/knowledge/embedding/embedding-pool.ts';

const script = new URL('../../../helpers/models/embedding/fake-embedding-thread.ts', import.meta.url);
const opened: EmbeddingPool[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()));
});

function openPool(options: Partial<EmbeddingPoolOptions> & { unloadable?: () => boolean } = {}) {
  const threads: Worker[] = [];
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const log = { warn: vi.fn() };
  const pool = new EmbeddingPool({
    size: 2,
    spare: 2,
    idleMilliseconds: 60_000,
    log,
    startThread: (activity) => {
      const workerData = { shared, activity, unloadable: options.unloadable?.() };
      const thread = new Worker(script, { workerData });
      threads.push(thread);
      return thread;
    },
    ...options,
  });
  opened.push(pool);
  const openGate = () => {
    Atomics.store(shared, 0, 1);
    Atomics.notify(shared, 0);
  };
  return { pool, threads, log, openGate };
}

const vectorsOf = (texts: readonly string[]) => texts.map((text) => Float32Array.of(text.length));

describe('EmbeddingPool', () => {
  it('returns vectors in the order of the texts, regardless of the thread', async () => {
    const { pool, threads } = openPool({ size: 3 });
    const texts = Array.from({ length: 200 }, (_, index) => 'x'.repeat(index));
    expect(await pool.embed(texts)).toEqual(vectorsOf(texts));
    expect(threads.length).toBeGreaterThan(1);
  });

  it('starts threads up to the limit, and none before the first text', async () => {
    const { pool, threads } = openPool({ size: 2 });
    expect(await pool.embed([])).toEqual([]);
    expect(threads).toHaveLength(0);
    await Promise.all(Array.from({ length: 50 }, (_, index) => pool.embed([`text ${index}`])));
    expect(threads.length).toBeLessThanOrEqual(2);
  });

  it('embeds a text again if its thread dies', async () => {
    const { pool, threads, log } = openPool({ size: 1 });
    const texts = ['first', 'throw once', 'last'];
    expect(await pool.embed(texts)).toEqual(vectorsOf(texts));
    expect(threads).toHaveLength(2);
    expect(log.warn).toHaveBeenCalledOnce();
  });

  it.each(['throw', 'exit'])('fails a text after two threads died of "%s", and continues', async (text) => {
    const { pool, threads } = openPool({ size: 1 });
    const poisoned = pool.embed(['good', text]);
    const other = pool.embed(['another', 'good one']);
    await expect(poisoned).rejects.toThrow(EmbeddingError);
    await expect(poisoned).rejects.toThrow(/Shorten or remove the text/);
    expect(await other).toEqual(vectorsOf(['another', 'good one']));
    expect(threads).toHaveLength(3);
  });

  it("reports the cause of a thread's death", async () => {
    const { pool } = openPool({ size: 1 });
    await expect(pool.embed(['throw'])).rejects.toMatchObject({
      cause: { name: 'RangeError', message: 'unreachable executed' },
    });
  });

  it('loses no text if a thread is killed', async () => {
    const { pool, threads } = openPool({ size: 2 });
    const texts = Array.from({ length: 300 }, (_, index) => 'x'.repeat(index));
    const vectors = pool.embed(texts);
    const [thread] = threads;
    let answers = 0;
    thread?.on('message', () => {
      if (++answers === 20) void thread.terminate();
    });
    expect(await vectors).toEqual(vectorsOf(texts));
    expect(answers).toBeGreaterThanOrEqual(20);
  });

  it('rejects waiting texts if no thread can load its model, and retries with the next text', async () => {
    let memory = false;
    const { pool } = openPool({ unloadable: () => !memory });
    await expect(pool.embed(['a', 'b'])).rejects.toMatchObject({
      name: 'EmbeddingError',
      cause: { message: 'no memory left' },
    });
    memory = true;
    expect(await pool.embed(['a'])).toEqual(vectorsOf(['a']));
  });

  it('continues with the loaded threads if another fails to load its model', async () => {
    let started = 0;
    const { pool, threads } = openPool({ size: 3, unloadable: () => ++started > 1 });
    const texts = Array.from({ length: 50 }, (_, index) => `text ${index}`);
    await pool.embed(['wait for the first']);
    expect(await pool.embed(texts)).toEqual(vectorsOf(texts));
    expect(await pool.embed(texts)).toEqual(vectorsOf(texts));
    expect(threads.length).toBeLessThanOrEqual(3);
  });

  it('drops the rest of a task whose signal is aborted', async () => {
    const { pool, openGate } = openPool({ size: 1 });
    const abortion = new AbortController();
    const aborted = pool.embed(['wait', 'throw', 'throw'], { signal: abortion.signal });
    abortion.abort('enough');
    await expect(aborted).rejects.toBe('enough');
    openGate();
    expect(await pool.embed(['next'])).toEqual(vectorsOf(['next']));
  });

  it('starts nothing with an already aborted signal', async () => {
    const { pool, threads } = openPool();
    await expect(pool.embed(['text'], { signal: AbortSignal.abort('late') })).rejects.toBe('late');
    expect(threads).toHaveLength(0);
  });

  it('removes its listener from the signal after a task', async () => {
    const { pool } = openPool();
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    const added = vi.spyOn(signal, 'addEventListener');
    await pool.embed(['text'], { signal });
    expect(removed.mock.calls).toEqual(added.mock.calls);
    expect(added).toHaveBeenCalledOnce();
  });

  it('ends idle threads and starts others when needed', async () => {
    const { pool, threads } = openPool({ size: 1, spare: 0, idleMilliseconds: 5 });
    await pool.embed(['one']);
    for (const thread of threads) await once(thread, 'exit');
    expect(await pool.embed(['other'])).toEqual(vectorsOf(['other']));
    expect(threads).toHaveLength(2);
  });

  it('rejects running, waiting and later texts when closed', async () => {
    const { pool, threads, openGate } = openPool({ size: 1 });
    const atWork = pool.embed(['wait']);
    const waiting = pool.embed(['text']);
    const closed = pool.close();
    openGate();
    const outcomes = await Promise.allSettled([atWork, waiting, pool.embed(['later'])]);
    await closed;
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined));
    expect(reasons).toEqual(
      new Array(3).fill(new EmbeddingError('The embedder is closed: the process is shutting down.')),
    );
    expect(threads).toHaveLength(1);
  });

  it('can be closed twice', async () => {
    const { pool } = openPool();
    await pool.embed(['text']);
    await pool.close();
    await expect(pool.close()).resolves.toBeUndefined();
  });
});
