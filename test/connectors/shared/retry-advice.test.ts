import { expect, test } from 'vitest';
import { retryAdvice } from '../../../connectors/shared/retry-advice.ts';

const now = new Date('2026-09-21T12:00:00Z');

test.each([
  [429, '7', { retry: 'after', afterMs: 7_000 }],
  [429, '0.5', { retry: 'after', afterMs: 500 }],
  [429, 'Mon, 21 Sep 2026 12:00:30 GMT', { retry: 'after', afterMs: 30_000 }],
  [429, 'Mon, 21 Sep 2026 11:00:00 GMT', { retry: 'after', afterMs: 0 }],
  [429, null, { retry: 'after', afterMs: 1_000 }],
  [429, 'soon', { retry: 'after', afterMs: 1_000 }],
  [503, '2', { retry: 'after', afterMs: 2_000 }],
  [503, null, { retry: 'backoff' }],
  [500, null, { retry: 'backoff' }],
  [408, null, { retry: 'backoff' }],
  [400, null, { retry: 'never' }],
  [401, '2', { retry: 'never' }],
  [403, null, { retry: 'never' }],
  [404, null, { retry: 'never' }],
])('status %i with Retry-After %j', (status, header, advice) => {
  expect(retryAdvice(status, header, now)).toEqual(advice);
});
