import { UnrecoverableError } from 'bullmq';
import { describe, expect, inject, test } from 'vitest';
import { createLog } from '../../../core/base/log.ts';
import { openQueue } from '../../../core/queue/queue.ts';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

const log = createLog('silent');
const redisUrl = inject('redisUrl');
const redis = { url: redisUrl ?? '', databaseId: 'of-this-test' };
const backends = [...testEngines, ...(redisUrl === null ? [] : (['redis'] as const))];

describe.each(backends)('the queue on %s', async (backend) => {
  const database = await openTestDatabase(backend === 'redis' ? 'embedded' : backend);
  const open = () => openQueue({ pool: database.pool, redis: backend === 'redis' ? redis : undefined }, log);

  test('a job runs once, and waiting jobs with the same id are one job', async () => {
    const queue = await open();
    await queue.add('ingest', 'doc_1-1', { documentId: 'doc_1' });
    await queue.add('ingest', 'doc_1-1', { documentId: 'doc_1' });
    await queue.add('ingest', 'doc_2-1', { documentId: 'doc_2' });
    const done: string[] = [];
    const both = Promise.withResolvers<void>();
    const stop = await queue.work('ingest', {
      concurrency: 1,
      run: async ({ documentId }) => {
        done.push(documentId);
        if (documentId === 'doc_2') both.resolve();
      },
      givenUp: async () => {},
    });
    await both.promise;
    await stop();
    expect(done).toEqual(['doc_1', 'doc_2']);
    await queue.close();
  });

  test('lane jobs run in the process that adds them while there is room, the rest go through the queue', async () => {
    const [near, far] = [await open(), await open()];
    const done: string[] = [];
    const held = Promise.withResolvers<void>();
    const both = Promise.withResolvers<void>();
    const working = (where: string) => ({
      concurrency: 1,
      run: async ({ lane }: { readonly lane: string }) => {
        done.push(`${lane} ${where}`);
        if (lane === 'a') await held.promise;
        if (done.length === 2) both.resolve();
      },
      givenUp: async () => {},
    });
    const stopNear = await near.work('answer', working('near'));
    await near.add('answer', 'a', { channelId: 'chan_1', lane: 'a' });
    await expect.poll(() => done).toEqual(['a near']);
    const counts = (await near.depths()).find(({ name }) => name === 'answer')?.counts;
    expect(counts?.active).toBe(1);
    await near.add('answer', 'b', { channelId: 'chan_1', lane: 'b' });
    await both.promise;
    held.resolve();
    await stopNear();
    const stopFar = await far.work('answer', working('far'));
    await near.add('answer', 'c', { channelId: 'chan_1', lane: 'c' });
    await expect.poll(() => done).toHaveLength(3);
    expect(done[2]).toBe('c far');
    await stopFar();
    await Promise.all([near.close(), far.close()]);
  });

  test('a job that failed in its own process is retried by any process', async () => {
    const queue = await open();
    let tries = 0;
    const again = Promise.withResolvers<void>();
    const stop = await queue.work('answer', {
      concurrency: 1,
      run: async () => {
        tries += 1;
        if (tries === 1) throw new TypeError('not now');
        again.resolve();
      },
      givenUp: async () => {},
    });
    await queue.add('answer', 'd', { channelId: 'chan_1', lane: 'd' });
    await again.promise;
    await stop();
    await queue.close();
  });

  test('depths count waiting and running jobs', async () => {
    const queue = await open();
    const nothing = { waiting: 0, delayed: 0, active: 0, failed: 0 };
    const depths = async () => (await queue.depths()).filter(({ name }) => name === 'ingest');
    expect(await depths()).toEqual([{ name: 'ingest', counts: nothing }]);
    await queue.add('ingest', 'doc_4-1', { documentId: 'doc_4' });
    await queue.add('ingest', 'doc_5-1', { documentId: 'doc_5' });
    expect(await depths()).toEqual([{ name: 'ingest', counts: { ...nothing, waiting: 2 } }]);
    const began = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const last = Promise.withResolvers<void>();
    const stop = await queue.work('ingest', {
      concurrency: 1,
      run: async ({ documentId }) => {
        began.resolve();
        await end.promise;
        if (documentId === 'doc_5') last.resolve();
      },
      givenUp: async () => {},
    });
    await began.promise;
    expect(await depths()).toEqual([{ name: 'ingest', counts: { ...nothing, waiting: 1, active: 1 } }]);
    end.resolve();
    await last.promise;
    await stop();
    await queue.close();
  });

  test('a delayed job waits for its time', async () => {
    const queue = await open();
    const addedAt = performance.now();
    await queue.add('webhooks', 'evt_1-1', { deliveryId: 'evt_1' }, { delayMs: 300 });
    const webhooks = (await queue.depths()).find(({ name }) => name === 'webhooks');
    expect(webhooks?.counts).toMatchObject({ waiting: 0, delayed: 1 });
    const done = Promise.withResolvers<number>();
    const stop = await queue.work('webhooks', {
      concurrency: 1,
      run: async () => done.resolve(performance.now()),
      givenUp: async () => {},
    });
    expect((await done.promise) - addedAt).toBeGreaterThan(295);
    await stop();
    await queue.close();
  });

  test('a failed job can be added again if its failures are not kept', async () => {
    const queue = await open();
    const givenUp = Promise.withResolvers<void>();
    const again = Promise.withResolvers<void>();
    let broken = true;
    const stop = await queue.work('webhooks', {
      concurrency: 1,
      async run() {
        if (broken) throw new TypeError('not this time');
        again.resolve();
      },
      givenUp: async () => givenUp.resolve(),
    });
    await queue.add('webhooks', 'evt_2-0', { deliveryId: 'evt_2' });
    await givenUp.promise;
    broken = false;
    await queue.add('webhooks', 'evt_2-0', { deliveryId: 'evt_2' });
    await again.promise;
    await stop();
    await queue.close();
  });

  test('a job whose workers died too often is given up, whatever attempts it has left', async () => {
    const queue = await open();
    const givenUp = Promise.withResolvers<string>();
    let tries = 0;
    const stop = await queue.work('bulk', {
      concurrency: 1,
      async run() {
        tries += 1;
        // BullMQ ends such a job with this error.
        throw new UnrecoverableError('job stalled more than allowable limit');
      },
      givenUp: async ({ actionId }) => givenUp.resolve(actionId),
    });
    await queue.add('bulk', 'action_1', { actionId: 'action_1' });
    expect(await givenUp.promise).toBe('action_1');
    expect(tries).toBe(1);
    await stop();
    await queue.close();
  });

  test('a failing job is retried', async () => {
    const queue = await open();
    let tries = 0;
    const succeeded = Promise.withResolvers<void>();
    const stop = await queue.work('ingest', {
      concurrency: 1,
      run: async () => {
        tries += 1;
        if (tries === 1) throw new TypeError('not this time');
        succeeded.resolve();
      },
      givenUp: async () => {},
    });
    await queue.add('ingest', 'doc_3-1', { documentId: 'doc_3' });
    await succeeded.promise;
    expect(tries).toBe(2);
    await stop();
    await queue.close();
  });
});

test('an unreachable Redis stops the start with one line of advice', async () => {
  const database = await openTestDatabase('embedded');
  const url = `redis://:secret@127.0.0.1:${await freePort()}`;
  await expect(openQueue({ pool: database.pool, redis: { url, databaseId: 'one' } }, log)).rejects.toThrow(
    /^Cannot use the Redis server 127\.0\.0\.1:\d+ from REDIS_URL: .*\. Check that the server runs and that REDIS_URL is correct\.$/,
  );
});
