import { expect, test } from 'vitest';
import { retryFailures } from '../../../../core/channels/inbound/failed-jobs.ts';
import type { Json } from '../../../../core/contract/account.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

const { runtime, channel, receiveRaw } = await openTestPipeline();
const { kysely } = runtime.database;
const native: Json = {};
await receiveRaw([
  { id: '1', lane: 'a', native },
  { id: '2', lane: 'b', native },
]);
const giveUp = () => kysely.updateTable('inbound_event').set({ failure: 'It broke.' }).execute();

test('a retry wakes workers at once for every lane with failures', async () => {
  await giveUp();
  const woken: unknown[] = [];
  const queue = {
    ...runtime.queue,
    add: async (name: string, _id: string, payload: unknown) => void woken.push([name, payload]),
  };
  expect(await retryFailures({ ...runtime, queue }, 'answer', channel.id)).toBe(2);
  expect(woken).toEqual([
    ['answer', { channelId: channel.id, lane: 'a' }],
    ['answer', { channelId: channel.id, lane: 'b' }],
  ]);
});

test('a retry succeeds even if the queue is unreachable, and the sweep wakes the lanes later', async () => {
  await giveUp();
  const queue = { ...runtime.queue, add: () => Promise.reject(new TypeError('gone')) };
  expect(await retryFailures({ ...runtime, queue }, 'answer', null)).toBe(2);
  const left = await kysely
    .selectFrom('inbound_event')
    .where('failure', 'is not', null)
    .select('number')
    .execute();
  expect(left).toEqual([]);
});
