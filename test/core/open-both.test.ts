import { describe, expect, test } from 'vitest';
import { openBoth } from '../../core/async.ts';

function openable(name: string, closed: string[]) {
  return { name, close: async () => void closed.push(name) };
}

describe('what opens at once', () => {
  test('is there when both have opened, and is left open', async () => {
    const closed: string[] = [];
    const [one, other] = await openBoth(
      Promise.resolve(openable('database', closed)),
      Promise.resolve(openable('model', closed)),
    );
    expect([one.name, other.name]).toEqual(['database', 'model']);
    expect(closed).toEqual([]);
  });

  test.each([
    { fails: 'database', stays: 'model' },
    { fails: 'model', stays: 'database' },
  ])(
    'is closed again where the $fails cannot be opened, also when it opens after that',
    async ({ fails, stays }) => {
      const closed: string[] = [];
      const late = Promise.withResolvers<ReturnType<typeof openable>>();
      const open = (name: string) => (name === fails ? Promise.reject(new RangeError(name)) : late.promise);
      const opening = openBoth(open('database'), open('model'));
      late.resolve(openable(stays, closed));
      await expect(opening).rejects.toThrow(new RangeError(fails));
      expect(closed).toEqual([stays]);
    },
  );

  test('fails at once where the first cannot be opened, however long the other takes', async () => {
    const closed: string[] = [];
    const late = Promise.withResolvers<ReturnType<typeof openable>>();
    const opening = openBoth(Promise.reject(new RangeError('database')), late.promise);
    await expect(opening).rejects.toThrow(new RangeError('database'));
    late.resolve(openable('model', closed));
    await expect.poll(() => closed).toEqual(['model']);
  });

  test('fails with what is wrong with the first where neither can be opened', async () => {
    const opening = openBoth(
      Promise.reject(new RangeError('database')),
      Promise.reject(new RangeError('model')),
    );
    await expect(opening).rejects.toThrow(new RangeError('database'));
  });
});
