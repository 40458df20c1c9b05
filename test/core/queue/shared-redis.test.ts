import { Redis } from 'ioredis';
import { afterAll, expect, inject, test } from 'vitest';
import { receiveDeliveries } from '../../../core/channels/inbound/receive-deliveries.ts';
import type { JobQueue } from '../../../core/queue/queue.ts';
import { deliveryOf } from '../../helpers/platforms/fake/channel.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';
import { startRedis } from '../../helpers/stores/databases/start-redis.ts';
import { emptyTestFolder } from '../../helpers/stores/databases/test-data-folder.ts';
import { createDatabase } from '../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

const canRun = inject('postgresUrl') !== null && inject('redisUrl') !== null;
const chats = Array.from({ length: 8 }, (_, chat) => `chat ${chat}`);
/** Grace period in which the sweep leaves events to the queue. */
const sweptAfterMs = 5_000;

/**
 * A server that receives and a worker that answers. They share a database and only communicate through the
 * queue.
 */
async function openInstallation(redisUrl: string) {
  const environment = {
    DATABASE_URL: await createDatabase(),
    REDIS_URL: redisUrl,
    ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
  };
  const taken = new Set<string>();
  const noting = (queue: JobQueue): JobQueue => ({
    ...queue,
    work: (name, handler) =>
      queue.work(name, {
        ...handler,
        run(payload) {
          if ('channelId' in payload) taken.add(payload.channelId);
          return handler.run(payload);
        },
      }),
  });
  const worker = await openTestPipeline({ environment, alter: ({ queue }) => ({ queue: noting(queue) }) });
  const server = await openTestRuntime({ environment });
  await worker.start();
  return {
    taken,
    channelId: worker.channel.id,
    /** Resolves with the time of the slowest answer. */
    async ask(): Promise<number> {
      const begin = performance.now();
      const deliveries = chats.map((chat) =>
        deliveryOf({ id: `event in ${chat}`, chat, text: 'Hello there' }),
      );
      await receiveDeliveries({ ...server, database: server.database.kysely }, worker.channel, deliveries);
      await expect.poll(() => new Set(worker.platform.sent.map(({ chat }) => chat)).size).toBe(chats.length);
      return performance.now() - begin;
    },
  };
}

test.skipIf(!canRun)(
  "installations with separate databases share a Redis without running each other's jobs",
  async () => {
    const redis = await startRedis(emptyTestFolder());
    if (redis === null) throw new TypeError('no Redis');
    afterAll(() => redis.stop());
    const [one, other] = [await openInstallation(redis.url), await openInstallation(redis.url)];
    for (const slowest of await Promise.all([one.ask(), other.ask()])) {
      expect(slowest).toBeLessThan(sweptAfterMs);
    }
    expect([...one.taken]).toEqual([one.channelId]);
    expect([...other.taken]).toEqual([other.channelId]);
    const operator = new Redis(redis.url);
    const keys = await operator.keys('*');
    const installations = new Set(keys.map((key) => /^\{parley-([0-9a-f-]{36})\}:/.exec(key)?.[1]));
    expect(installations.size).toBe(2);
    expect(installations).not.toContain(undefined);
    operator.disconnect();
  },
);
