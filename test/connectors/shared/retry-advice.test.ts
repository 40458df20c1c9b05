import { expect, test } from 'vitest';
import { retryAdvice } from '../../../connectors/shared/http.ts';

const now = new Date('2026-09-21T12:00:00Z');
const limited = 'unsaid';

test.each([
  [429, '7', { retry: 'after', afterMs: 7_000, limited }],
  [429, '0.5', { retry: 'after', afterMs: 500, limited }],
  [429, 'Mon, 21 Sep 2026 12:00:30 GMT', { retry: 'after', afterMs: 30_000, limited }],
  [429, 'Mon, 21 Sep 2026 11:00:00 GMT', { retry: 'after', afterMs: 0, limited }],
  [429, null, { retry: 'after', afterMs: 1_000, limited }],
  [429, 'soon', { retry: 'after', afterMs: 1_000, limited }],
  [200, null, { retry: 'backoff' }],
  [503, '2', { retry: 'after', afterMs: 2_000, limited: 'account' }],
  [503, null, { retry: 'backoff' }],
  [500, null, { retry: 'backoff' }],
  [408, null, { retry: 'backoff' }],
  [409, '2', { retry: 'after', afterMs: 2_000 }],
  [302, null, { retry: 'never' }],
  [400, null, { retry: 'never' }],
  [401, '2', { retry: 'never' }],
  [403, null, { retry: 'never' }],
  [404, null, { retry: 'never' }],
])('advises for status %i with Retry-After %j', (status, retryAfter, advice) => {
  expect(retryAdvice({ status, retryAfter }, now)).toEqual(advice);
});

test('a platform whose limits are by account always limits the account', () => {
  const advice = retryAdvice({ status: 429, retryAfter: '7', limited: 'account' }, now);
  expect(advice).toMatchObject({ limited: 'account' });
});
