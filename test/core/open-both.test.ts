import { describe, expect, test } from 'vitest';
import { openBoth } from '../../core/base/async.ts';

function openable(name: string, closed: string[]) {
  return { name, close: async () => void closed.push(name) };
}

describe('two resources opened concurrently', () => {
  test('stay open if both have opened', async () => {
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
  ])('are closed if the $fails cannot be opened, also if the other opens later', async ({ fails, stays }) => {
    const closed: string[] = [];
    const late = Promise.withResolvers<ReturnType<typeof openable>>();
    const open = (name: string) => (name === fails ? Promise.reject(new RangeError(name)) : late.promise);
    const opening = openBoth(open('database'), open('model'));
    late.resolve(openable(stays, closed));
    await expect(opening).rejects.toThrow(new RangeError(fails));
    expect(closed).toEqual([stays]);
  });

  test('fail at once if the first cannot be opened, however slowly the other opens', async () => {
    const closed: string[] = [];
    const late = Promise.withResolvers<ReturnType<typeof openable>>();
    const opening = openBoth(Promise.reject(new RangeError('database')), late.promise);
    await expect(opening).rejects.toThrow(new RangeError('database'));
    late.resolve(openable('model', closed));
    await expect.poll(() => closed).toEqual(['model']);
  });

  test("fail with the first one's error if neither can be opened", async () => {
    const opening = openBoth(
      Promise.reject(new RangeError('database')),
      Promise.reject(new RangeError('model')),
    );
    await expect(opening).rejects.toThrow(new RangeError('database'));
  });
});
