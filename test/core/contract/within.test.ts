import { getEventListeners, once } from 'node:events';
import { expect, test } from 'vitest';
import { withDeadline } from '../../../core/contract/abort-signal.ts';

/** Work that goes on until it is told to end. */
async function untilTold(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

test('work that takes too long is told to end', async () => {
  await expect(withDeadline({ timeoutMs: 1 }, untilTold)).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('work ends with the reason of the signal, also of one that was aborted before', async () => {
  const leaving = new AbortController();
  const work = withDeadline({ timeoutMs: 60_000, signal: leaving.signal }, untilTold);
  leaving.abort('gone');
  await expect(work).rejects.toBe('gone');
  await expect(withDeadline({ timeoutMs: 60_000, signal: leaving.signal }, untilTold)).rejects.toBe('gone');
});

test('nothing is left behind work that is done', async () => {
  const { signal } = new AbortController();
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const during = await withDeadline({ timeoutMs: 60_000, signal }, async () => timers());
  expect([during - before, timers() - before]).toEqual([1, 0]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
