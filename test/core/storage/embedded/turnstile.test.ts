import { expect, test } from 'vitest';
import { Turnstile } from '../../../../core/storage/embedded/turnstile.ts';

test('turns come in order, those that are let in ahead before all others, and never inside of another', async () => {
  const turnstile = new Turnstile();
  const order: string[] = [];
  const enter = (name: string, isAhead: boolean) => {
    const who = { name };
    const entered = turnstile.enter(who, isAhead).then(() => order.push(name));
    return async () => {
      await entered;
      turnstile.leave(who);
    };
  };
  const first = enter('first', false);
  const leaves = [
    enter('second', false),
    enter('third', false),
    enter('urgent', true),
    enter('urgent too', true),
  ];
  await Promise.resolve();
  expect(order).toEqual(['first']);
  for (const leave of [first, leaves[2], leaves[3], leaves[0], leaves[1]]) await leave?.();
  expect(order).toEqual(['first', 'urgent', 'urgent too', 'second', 'third']);
});
