import { describe, expect, test } from 'vitest';
import { CircuitBreaker } from '../../../core/models/circuit-breaker.ts';
import { type FailureKind, ProviderFailure } from '../../../core/models/provider-failure.ts';

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
  test('pauses a provider after three consecutive failures, and not after two', () => {
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

  test('admits one question after the pause, and all of them after that one succeeds', () => {
    const { breaker, fail, pass } = breakerAt();
    for (let times = 0; times < 3; times += 1) fail('failed');
    pass(5_000);
    expect([breaker.admit(), breaker.admit()]).toEqual([true, false]);
    breaker.succeeded();
    expect([breaker.admit(), breaker.admit()]).toEqual([true, true]);
  });

  test('doubles the pause after each failed attempt, up to a minute', () => {
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

  test('observes the provider’s Retry-After', () => {
    const { breaker, fail, pass } = breakerAt();
    fail('rate_limited', 30_000);
    pass(29_999);
    expect(breaker.admit()).toBe(false);
    pass(1);
    expect(breaker.admit()).toBe(true);
  });

  test('pauses at once after a rejected key', () => {
    const { breaker, fail } = breakerAt();
    fail('misconfigured');
    expect(breaker.pauseMs).toBe(60_000);
  });

  test('ignores rejections of single requests', () => {
    const { breaker, fail } = breakerAt();
    for (let times = 0; times < 10; times += 1) fail('refused');
    expect(breaker.admit()).toBe(true);
  });

  test('admits the next question if the reader of an attempt disconnects', () => {
    const { breaker, fail, pass } = breakerAt();
    for (let times = 0; times < 3; times += 1) fail('failed');
    pass(5_000);
    expect(breaker.admit()).toBe(true);
    breaker.abandoned();
    expect(breaker.admit()).toBe(true);
  });
});
