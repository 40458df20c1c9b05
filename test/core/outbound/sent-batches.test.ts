import { expect, test } from 'vitest';
import type { PiggybackItem, PiggybackResult } from '../../../core/conversations/piggyback-batch.ts';
import { SentPartBatcher } from '../../../core/outbound/sent-batches.ts';
import { openTestDatabase } from '../../helpers/stores/test-databases.ts';

const { kysely: database } = await openTestDatabase('embedded');
const sent = {
  ...{ channelId: 'chan_1', lane: '7', token: 'ours', answering: 'ours', number: '42', attempts: 1 },
  ...{ platformMessageId: '1001', sentAt: new Date('2026-11-22T10:00:00Z') },
};

/** With the given result for parts settled together with turns. */
function open(noted: PiggybackResult | null) {
  const riding: PiggybackItem[] = [];
  const ride = async (_: unknown, rider: PiggybackItem) => {
    riding.push(rider);
    return noted;
  };
  return { batches: new SentPartBatcher({ database, conversations: { addToNextBatch: ride } }), riding };
}

test('a sent part is settled together with turns that are being stored', async () => {
  const { batches, riding } = open({ value: { next: null, let_go: false } });
  expect(await batches.settle(sent, { mayWait: true })).toEqual({ next: null, isAnswered: false });
  expect(riding).toMatchObject([{ session: 'chan_1:7', values: { number: '42' } }]);
});

test('a sent part is settled by itself if no turns are being stored', async () => {
  const { batches } = open(null);
  expect(await batches.settle(sent, { mayWait: true })).toEqual({ next: null, isAnswered: true });
});

test('a sent part that is not in the journal does not wait for turns', async () => {
  const { batches, riding } = open({ value: { next: null, let_go: false } });
  expect(await batches.settle(sent, { mayWait: false })).toEqual({ next: null, isAnswered: true });
  expect(riding).toEqual([]);
});
