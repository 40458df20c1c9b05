import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseTraceparent, placeBelow, placeOf, placesBelow } from '../../../core/tracing/trace-ids.ts';

test('the ids of a trace are the hash of the channel and the event, as the documentation says', () => {
  const hash = createHash('sha256').update('chan_1 e7').digest('hex');
  expect(placeOf({ channelId: 'chan_1', eventId: 'e7' })).toEqual({
    traceId: hash.slice(0, 32),
    spanId: hash.slice(32, 48),
    isCallerSampled: null,
  });
  expect(placeOf({ channelId: 'chan_2', eventId: 'e7' }).traceId).not.toBe(hash.slice(0, 32));
});

test('the same step of a trace has the same id in every process, and another step another one', () => {
  const root = placeOf({ messageId: 'msg_1' });
  expect(placeBelow(root, 'send 1 1')).toEqual(placeBelow(root, 'send 1 1'));
  expect(placeBelow(root, 'send 1 2').spanId).not.toBe(placeBelow(root, 'send 1 1').spanId);
});

test('counted ids stay apart, also where the count wraps', () => {
  const next = placesBelow({ ...placeOf({ messageId: 'm' }), spanId: '0123456789abfffe' });
  expect([next(), next(), next()].map(({ spanId }) => spanId)).toEqual([
    '0123456789abffff',
    '0123456789ab0000',
    '0123456789ab0001',
  ]);
});

describe('the header traceparent', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const spanId = '00f067aa0ba902b7';

  test('gives the place of the caller, and whether the caller exports it', () => {
    const place = { traceId, spanId };
    expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ ...place, isCallerSampled: true });
    expect(parseTraceparent(`00-${traceId}-${spanId}-00`)).toEqual({ ...place, isCallerSampled: false });
    expect(parseTraceparent(`01-${traceId}-${spanId}-03-more`)).toEqual({ ...place, isCallerSampled: true });
  });

  test.each([
    undefined,
    '',
    'nonsense',
    ['a', 'b'],
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01${' '.repeat(600)}`,
  ])('is ignored if it is invalid (%j)', (header) => {
    expect(parseTraceparent(header)).toBeNull();
  });
});
