import { expect, test } from 'vitest';
import { QueryMutex } from '../../../../core/storage/embedded/embedded-pool.ts';

function turnstileFor(most: number) {
  const turnstile = new QueryMutex(most);
  const order: string[] = [];
  const enter = (name: string, how?: { isAhead?: boolean; isAlone?: boolean }) => {
    const who = { name };
    void turnstile.enter(who, how).then(() => order.push(name));
    return () => {
      turnstile.leave(who);
      return Promise.resolve();
    };
  };
  return { turnstile, order, enter };
}

test('entries proceed in order, those marked ahead before all others', async () => {
  const { order, enter } = turnstileFor(1);
  const leaves = [
    enter('first'),
    enter('urgent', { isAhead: true }),
    enter('urgent too', { isAhead: true }),
    enter('second'),
    enter('third'),
  ];
  await Promise.resolve();
  expect(order).toEqual(['first']);
  for (const leave of leaves) await leave();
  expect(order).toEqual(['first', 'urgent', 'urgent too', 'second', 'third']);
});

test('the maximum may be inside at once, and no entry follows an exclusive one', async () => {
  const { order, enter } = turnstileFor(2);
  const leaves = [enter('first'), enter('alone', { isAlone: true }), enter('third'), enter('fourth')];
  await Promise.resolve();
  expect(order).toEqual(['first', 'alone']);
  await leaves[0]?.();
  expect(order).toEqual(['first', 'alone']);
  await leaves[1]?.();
  expect(order).toEqual(['first', 'alone', 'third', 'fourth']);
});

test('an owner that is inside enters again at once', async () => {
  const { turnstile } = turnstileFor(1);
  const who = {};
  await turnstile.enter(who, { isAlone: true });
  await turnstile.enter(who);
  turnstile.leave(who);
  await turnstile.enter({});
});
