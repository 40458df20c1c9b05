import { describe, expect, test } from 'vitest';
import { planNextAttempt } from '../../../workers/webhooks/deliver-webhook.ts';
import { parseRetryAfter } from '../../../workers/webhooks/post-webhook.ts';

const queuedAt = new Date('2026-03-01T10:00:00Z');
const later = (seconds: number) => new Date(queuedAt.getTime() + seconds * 1_000);
const day = 24 * 3_600;

describe('nextAttempt', () => {
  test('an endpoint that never responds is retried at growing intervals for a day', () => {
    const tries: number[] = [];
    for (let now: Date | null = queuedAt; now !== null; ) {
      tries.push((now.getTime() - queuedAt.getTime()) / 1_000);
      now = planNextAttempt({ attempts: tries.length, queuedAt, now, wishMs: 0 });
    }
    expect(tries.slice(0, 7)).toEqual([0, 5, 35, 155, 755, 2_555, 6_155]);
    expect(tries.at(-1)).toBe(day);
    const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(waits.slice(0, -1)).toEqual(waits.slice(0, -1).toSorted((one, other) => one - other));
  });

  test("an endpoint's requested wait is respected up to an hour, and never shortens the interval", () => {
    const next = (wishMs: number) => planNextAttempt({ attempts: 1, queuedAt, now: queuedAt, wishMs });
    expect(next(60_000)).toEqual(later(60));
    expect(next(1_000)).toEqual(later(5));
    expect(next(Number.POSITIVE_INFINITY)).toEqual(later(3_600));
    expect(planNextAttempt({ attempts: 1, queuedAt, now: later(day - 10), wishMs: 60_000 })).toEqual(
      later(day),
    );
  });
});

test.each([
  [null, 0],
  ['120', 120_000],
  ['Sun, 01 Mar 2026 10:00:30 GMT', 30_000],
  ['Sun, 01 Mar 2026 09:00:00 GMT', 0],
  ['soon', 0],
])('a Retry-After of %s is parsed', (value, ms) => {
  expect(parseRetryAfter(value, queuedAt)).toBe(ms);
});
