import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createLog } from '../../../core/base/log.ts';
import { openRedisBackend } from '../../../core/queue/redis-backend.ts';
import { openCuttableLine } from '../../helpers/servers/network/open-cuttable-line.ts';
import { startRedis } from '../../helpers/stores/databases/start-redis.ts';
import { emptyTestFolder } from '../../helpers/stores/databases/test-data-folder.ts';

const server = inject('redisUrl');
const databaseId = 'of-this-test';
const log = createLog('silent');
/** A queue of its own behind a proxy that can be cut off. */
async function openOverLine(silenceMs: number) {
  const line = await openCuttableLine(server ?? '');
  const url = new URL(server ?? '');
  url.host = new URL(line.address).host;
  const backend = await openRedisBackend({ url: url.href, databaseId, silenceMs }, log);
  const producer = backend.openProducer(`over-${randomUUID()}`);
  const close = async () => {
    await producer.close();
    await backend.close();
    await line.close();
  };
  return { line, backend, producer, close };
}

const job = { attempts: 1, removeOnComplete: true, removeOnFail: true, delay: 0, priority: 0 };

test.skipIf(server === null)(
  'commands to a Redis that disappeared without notice are sent to its successor',
  async () => {
    const { line, producer, close } = await openOverLine(200);
    line.lose();
    await producer.add({ conversationId: 'conv_lost' }, { ...job, jobId: 'lost' });
    expect(await producer.counts()).toMatchObject({ waiting: 1 });
    await close();
  },
);

test.skipIf(server === null)(
  'callers do not wait long for an unreachable Redis, and their commands run after reconnecting',
  async () => {
    const { line, backend, producer, close } = await openOverLine(3_000);
    await producer.add({ conversationId: 'conv_1' }, { ...job, jobId: 'before' });
    line.lose();
    const silent = {
      code: 'upstream_timeout',
      message: 'The queue does not respond. Check the Redis server (REDIS_URL).',
    };
    const asked = [
      producer.add({ conversationId: 'conv_2' }, { ...job, jobId: 'during' }),
      producer.counts(),
      backend.ping(),
    ];
    for (const { status, ...outcome } of await Promise.allSettled(asked)) {
      expect([status, outcome]).toMatchObject(['rejected', { reason: silent }]);
    }
    await expect.poll(() => producer.counts().catch(() => null)).toMatchObject({ waiting: 2 });
    await close();
  },
);

test.skipIf(server === null)('a Redis Cluster stops the start with one line of advice', async () => {
  const redis = await startRedis(emptyTestFolder(), { more: ['--cluster-enabled', 'yes'] });
  if (redis === null) throw new TypeError('no Redis');
  onTestFinished(() => redis.stop());
  const { host } = new URL(redis.url);
  await expect(openRedisBackend({ url: redis.url, databaseId }, log)).rejects.toThrow(
    `REDIS_URL points to ${host}, which is a Redis Cluster. Set REDIS_URL to a Redis server without cluster mode, or leave it empty to keep the queue in the database.`,
  );
});

test.skipIf(server === null)('a connection that breaks while it is closed counts as closed', async () => {
  const { line, backend, producer } = await openOverLine(200);
  await producer.close();
  line.lose();
  await expect(backend.close()).resolves.toBeUndefined();
  await line.close();
});

test.skipIf(server === null)('the client reconnects if its Redis has become a replica', async () => {
  const redis = await startRedis(emptyTestFolder());
  if (redis === null) throw new TypeError('no Redis');
  onTestFinished(() => redis.stop());
  const operator = new Redis(redis.url);
  const backend = await openRedisBackend({ url: redis.url, databaseId }, log);
  const producer = backend.openProducer('summarise');
  const add = (jobId: string) => producer.add({ conversationId: 'conv_1' }, { ...job, jobId });
  await add('before');
  const connections = async () => String(await operator.client('LIST')).match(/^id=\d+/gm);
  const before = await connections();
  await operator.replicaof('127.0.0.1', 1);
  await expect(add('during')).rejects.toThrow(/READONLY/);
  await operator.replicaof('NO', 'ONE');
  await add('after');
  expect(await connections()).not.toEqual(before);
  expect(await producer.counts()).toMatchObject({ waiting: 2 });
  await producer.close();
  await backend.close();
  operator.disconnect();
});

test.skipIf(server === null)(
  'workers stop without an unreachable Redis once their running jobs are done',
  async () => {
    const redis = await startRedis(emptyTestFolder());
    if (redis === null) throw new TypeError('no Redis');
    const backend = await openRedisBackend({ url: redis.url, databaseId }, log);
    const [begun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = async () => {
      begun.resolve();
      await done.promise;
    };
    const stop = await backend.openWorker('summarise', { concurrency: 1, run, failed: () => {} });
    await backend.openProducer('summarise').add({ conversationId: 'conv_1' }, { ...job, jobId: 'one' });
    await begun.promise;
    await redis.stop();
    let isStopped = false;
    const stopping = stop().then(() => {
      isStopped = true;
    });
    await expect(backend.ping()).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(isStopped).toBe(false);
    done.resolve();
    await stopping;
    await backend.close();
  },
);
