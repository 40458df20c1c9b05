import { expect, test } from 'vitest';
import { orderByArrival } from '../../../connectors/email/mailbox.ts';

const at = (second: number) => new Date(Date.UTC(2026, 8, 21, 12, 0, second));
const mail = (uid: number, second: number, ids: { messageId?: string; inReplyTo?: string } = {}) => ({
  uid,
  internalDate: at(second),
  envelope: ids,
});
const order = (mails: readonly ReturnType<typeof mail>[]) =>
  orderByArrival(mails).map(({ message, place }) => [message.uid, place]);

test('sorts mails by time, and the position never passes a mail that is not received yet', () => {
  expect(order([mail(4, 2), mail(5, 1), mail(6, 3)])).toEqual([
    [5, 3],
    [4, 5],
    [6, 6],
  ]);
});

test('puts a reply after its original within a second, whatever their UIDs', () => {
  const first = mail(9, 1, { messageId: '<1@x>' });
  const second = mail(8, 1, { messageId: '<2@x>', inReplyTo: '<1@x>' });
  const third = mail(7, 1, { messageId: '<3@x>', inReplyTo: '<2@x>' });
  expect(order([third, second, first])).toEqual([
    [9, 6],
    [8, 6],
    [7, 9],
  ]);
});

test('includes mails that reply to each other in a circle, to an unknown mail or to themselves', () => {
  const circle = [
    mail(1, 1, { messageId: '<1@x>', inReplyTo: '<2@x>' }),
    mail(2, 1, { messageId: '<2@x>', inReplyTo: '<1@x>' }),
    mail(3, 1, { messageId: '<3@x>', inReplyTo: '<3@x>' }),
    mail(4, 1),
  ];
  expect(order(circle).map(([uid]) => uid)).toHaveLength(4);
});
