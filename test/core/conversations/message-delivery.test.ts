import { expect, test } from 'vitest';
import { readDelivery } from '../../../core/conversations/messages/messages.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
/** Creates parts with these statuses, one second apart. */
const deliveryOf = (...statuses: readonly string[]) =>
  readDelivery(
    statuses.map((status, index) => ({
      status,
      reason: ['failed', 'dead', 'withheld'].includes(status) ? `because ${index}` : null,
      at: at(index).toISOString(),
    })),
  );

test.each([
  [['waiting'], 'queued', null, 0],
  [['collectable'], 'queued', null, 0],
  [['sent', 'waiting', 'delivered'], 'queued', null, 1],
  [['sent', 'failed', 'waiting'], 'failed', 'because 1', 1],
  [['dead', 'delivered'], 'failed', 'because 0', 0],
  [['read', 'sent', 'delivered'], 'sent', null, 2],
  [['read', 'delivered'], 'delivered', null, 1],
  [['read', 'read'], 'read', null, 1],
  [['withheld', 'withheld'], 'withheld', 'because 0', 1],
  [['sent', 'withheld'], 'sent', 'because 1', 0],
  [['sent', 'held'], 'sent', null, 0],
  [['held', 'held'], 'queued', null, 1],
])('combines parts that are %j to the status %s', (statuses, status, reason, second) => {
  expect(deliveryOf(...statuses)).toEqual({ status, reason, at: at(second) });
});

test('returns no delivery for a message without parts', () => {
  expect([readDelivery([]), readDelivery(null), readDelivery(undefined)]).toEqual([null, null, null]);
});
