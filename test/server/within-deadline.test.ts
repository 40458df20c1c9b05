import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withDeadline } from '../../server/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('work that ends in time gives its result, and leaves no timer behind', async () => {
  expect(await withDeadline(1_000, async () => 'done')).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
});

test('work that fails in time gives its error', async () => {
  await expect(withDeadline(1_000, () => Promise.reject(new RangeError('own')))).rejects.toThrow('own');
});

test('work that takes longer is told to stop, and its end is nobody else’s concern', async () => {
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
