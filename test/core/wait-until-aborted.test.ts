import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { rejectOnAbort } from '../../core/async.ts';

test('what comes in time is passed on, one thing after the other', async () => {
  const wait = rejectOnAbort(new AbortController().signal);
  expect(await wait(Promise.resolve(1))).toBe(1);
  await expect(wait(Promise.reject(new RangeError('own')))).rejects.toThrow('own');
  expect(await wait(Promise.resolve(2))).toBe(2);
});

test('what never comes is given up with the reason of the signal', async () => {
  const controller = new AbortController();
  const wait = rejectOnAbort(controller.signal);
  await wait(Promise.resolve());
  const waiting = wait(new Promise(() => {}));
  controller.abort(new RangeError('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('nothing is waited for once the signal is aborted, and what comes too late is nobody’s concern', async () => {
  const wait = rejectOnAbort(AbortSignal.abort(new RangeError('enough')));
  const late = Promise.withResolvers<void>();
  await expect(wait(late.promise)).rejects.toThrow('enough');
  late.reject(new TypeError('too late'));
});

test('nobody listens to the signal when nothing is waited for', async () => {
  const { signal } = new AbortController();
  const wait = rejectOnAbort(signal);
  const waiting = wait(Promise.resolve(1));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await waiting;
  await expect(wait(Promise.reject(new RangeError('own')))).rejects.toThrow('own');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
