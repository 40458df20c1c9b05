import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { rejectOnAbort } from '../../core/base/async.ts';

test('passes on promises that settle in time, one by one', async () => {
  const wait = rejectOnAbort(new AbortController().signal);
  expect(await wait(Promise.resolve(1))).toBe(1);
  await expect(wait(Promise.reject(new RangeError('own')))).rejects.toThrow('own');
  expect(await wait(Promise.resolve(2))).toBe(2);
});

test("rejects with the signal's reason if a promise never settles", async () => {
  const controller = new AbortController();
  const wait = rejectOnAbort(controller.signal);
  await wait(Promise.resolve());
  const waiting = wait(new Promise(() => {}));
  controller.abort(new RangeError('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('waits for nothing once the signal is aborted, and ignores late rejections', async () => {
  const wait = rejectOnAbort(AbortSignal.abort(new RangeError('enough')));
  const late = Promise.withResolvers<void>();
  await expect(wait(late.promise)).rejects.toThrow('enough');
  late.reject(new TypeError('too late'));
});

test('removes its abort listener when it awaits nothing', async () => {
  const { signal } = new AbortController();
  const wait = rejectOnAbort(signal);
  const waiting = wait(Promise.resolve(1));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await waiting;
  await expect(wait(Promise.reject(new RangeError('own')))).rejects.toThrow('own');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
