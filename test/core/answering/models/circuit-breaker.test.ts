import { describe, expect, test } from 'vitest';
import { CircuitBreaker } from '../../../../core/answering/models/circuit-breaker.ts';
import { type FailureKind, ProviderFailure } from '../../../../core/answering/models/provider-failure.ts';

function breakerAt() {
  let now = 1_000_000;
  const breaker = new CircuitBreaker({ now: () => new Date(now) });
  return {
    breaker,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    fail(kind: FailureKind, retryAfterMs?: number) {
      breaker.admit();
      breaker.failed(new ProviderFailure(kind, { retryAfterMs }));
    },
  };
}

describe('a circuit breaker', () => {
  test('lets a provider be after three failures in a row, and not after two', () => {
    const { breaker, fail } = breakerAt();
    fail('failed');
    fail('timeout');
    expect(breaker.admit()).toBe(true);
    breaker.succeeded();
    fail('failed');
    fail('failed');
    expect(breaker.admit()).toBe(true);
    breaker.failed(new ProviderFailure('unreachable'));
    expect(breaker.admit()).toBe(false);
  });

  test('lets one question try the provider after the pause, and all after that succeeded', () => {
    const { breaker, fail, pass } = breakerAt();
    for (let times = 0; times < 3; times += 1) fail('failed');
    pass(5_000);
    expect([breaker.admit(), breaker.admit()]).toEqual([true, false]);
    breaker.succeeded();
    expect([breaker.admit(), breaker.admit()]).toEqual([true, true]);
  });

  test('waits twice as long after each try that failed, up to a minute', () => {
    const { breaker, fail, pass } = breakerAt();
    for (let times = 0; times < 3; times += 1) fail('failed');
    const pauses: number[] = [];
    for (let times = 0; times < 6; times += 1) {
      pauses.push(breaker.pauseMs);
      pass(breaker.pauseMs);
      fail('failed');
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  test('keeps to the time that a provider asks for', () => {
    const { breaker, fail, pass } = breakerAt();
    fail('rate_limited', 30_000);
    pass(29_999);
    expect(breaker.admit()).toBe(false);
    pass(1);
    expect(breaker.admit()).toBe(true);
  });

  test('does not ask again at once with a key that was refused', () => {
    const { breaker, fail } = breakerAt();
    fail('misconfigured');
    expect(breaker.pauseMs).toBe(60_000);
  });

  test('does not mind questions that were refused for themselves', () => {
    const { breaker, fail } = breakerAt();
    for (let times = 0; times < 10; times += 1) fail('refused');
    expect(breaker.admit()).toBe(true);
  });

  test('lets the next one try when the reader of a try went away', () => {
    const { breaker, fail, pass } = breakerAt();
    for (let times = 0; times < 3; times += 1) fail('failed');
    pass(5_000);
    expect(breaker.admit()).toBe(true);
    breaker.abandoned();
    expect(breaker.admit()).toBe(true);
  });
});
