import { getEventListeners, once } from 'node:events';
import { expect, test } from 'vitest';
import { withDeadline } from '../../../core/contract/abort-signal.ts';

/** Work that runs until its signal aborts. */
async function waitForAbort(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

test('aborts work that exceeds the timeout', async () => {
  await expect(withDeadline({ timeoutMs: 1 }, waitForAbort)).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('rejects with the reason of the parent signal, including one that aborted before the call', async () => {
  const parent = new AbortController();
  const work = withDeadline({ timeoutMs: 60_000, signal: parent.signal }, waitForAbort);
  parent.abort('disconnected');
  await expect(work).rejects.toBe('disconnected');
  await expect(withDeadline({ timeoutMs: 60_000, signal: parent.signal }, waitForAbort)).rejects.toBe(
    'disconnected',
  );
});

test('removes its timer and listener when the work is done', async () => {
  const { signal } = new AbortController();
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const during = await withDeadline({ timeoutMs: 60_000, signal }, async () => timers());
  expect([during - before, timers() - before]).toEqual([1, 0]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
