import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { createLog } from '../../../core/log.ts';
import { openRedisBackend } from '../../../core/queue/redis-backend.ts';
import { openCuttableLine } from '../../helpers/open-cuttable-line.ts';

const server = inject('redisUrl');

test.skipIf(server === null)(
  'what a Redis was asked that is gone without a word, the next one is asked',
  async () => {
    const line = await openCuttableLine(server ?? '');
    const url = new URL(server ?? '');
    url.host = new URL(line.address).host;
    const backend = await openRedisBackend(url.href, createLog('silent'), 200);
    const producer = backend.openProducer(`lost-${randomUUID()}`);
    const job = {
      attempts: 1,
      backoff: { type: 'fixed', delay: 1 },
      removeOnComplete: true,
      removeOnFail: true,
    };
    line.lose();
    await producer.add({ conversationId: 'conv_lost' }, { ...job, jobId: 'lost', delay: 0, priority: 0 });
    expect(await producer.counts()).toMatchObject({ waiting: 1 });
    await producer.close();
    await backend.close();
    await line.close();
  },
);
