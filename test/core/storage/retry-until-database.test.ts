import { expect, test } from 'vitest';
import { retryUntilDatabase } from '../../../core/storage/sql-errors.ts';

const away = Object.assign(new Error('terminating connection'), { code: '57P01' });
const { signal } = new AbortController();

function failing(times: number, error: Error) {
  const seen = { tries: 0 };
  const act = async () => {
    seen.tries += 1;
    if (seen.tries <= times) throw error;
    return 'stored';
  };
  return { act, seen };
}

test('an operation is repeated until the database is reachable', async () => {
  const { act, seen } = failing(3, away);
  expect(await retryUntilDatabase(act, signal)).toBe('stored');
  expect(seen.tries).toBe(4);
});

test('any other error is thrown at once', async () => {
  const { act, seen } = failing(3, new RangeError('no'));
  await expect(retryUntilDatabase(act, signal)).rejects.toThrow('no');
  expect(seen.tries).toBe(1);
});

test('an abort stops the retries with the error', async () => {
  const ending = new AbortController();
  const waiting = retryUntilDatabase(failing(99, away).act, ending.signal);
  ending.abort();
  await expect(waiting).rejects.toThrow();
});
