import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withDeadline } from '../../server/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('returns the result of work that ends in time, and leaves no timer', async () => {
  expect(await withDeadline(1_000, async () => 'done')).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
});

test('throws the error of work that fails in time', async () => {
  await expect(withDeadline(1_000, () => Promise.reject(new RangeError('own')))).rejects.toThrow('own');
});

test('aborts work that takes longer and ignores its later result', async () => {
  let told: AbortSignal | undefined;
  const late = Promise.withResolvers<string>();
  const result = withDeadline(1_000, (signal) => {
    told = signal;
    return late.promise;
  });
  const refused = expect(result).rejects.toMatchObject({ code: 'request_timeout' });
  await vi.advanceTimersByTimeAsync(1_000);
  await refused;
  expect(told?.aborted).toBe(true);
  late.reject(new RangeError('too late'));
});
