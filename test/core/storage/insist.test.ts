import { expect, test } from 'vitest';
import { insist } from '../../../core/storage/insist.ts';

const away = Object.assign(new Error('terminating connection'), { code: '57P01' });
const patience = { signal: new AbortController().signal, forMs: 10_000 };

function failing(times: number, error: Error) {
  const seen = { tries: 0 };
  const act = async () => {
    seen.tries += 1;
    if (seen.tries <= times) throw error;
    return 'stored';
  };
  return { act, seen };
}

test('what the database could not be reached for is done when it can be', async () => {
  const { act, seen } = failing(3, away);
  expect(await insist(act, patience)).toBe('stored');
  expect(seen.tries).toBe(4);
});

test('any other error is told at once', async () => {
  const { act, seen } = failing(3, new RangeError('no'));
  await expect(insist(act, patience)).rejects.toThrow('no');
  expect(seen.tries).toBe(1);
});

test('who has no patience left, or is not wanted any more, hears of it', async () => {
  await expect(insist(failing(99, away).act, { ...patience, forMs: 0 })).rejects.toBe(away);
  const ending = new AbortController();
  const waiting = insist(failing(99, away).act, { ...patience, signal: ending.signal });
  ending.abort();
  await expect(waiting).rejects.toThrow();
});
