import { expect, test } from 'vitest';
import { Arrivals, comparedRows } from '../../../../../server/dashboard/browser/live/arrivals.ts';

const many = (from: number) => Array.from({ length: comparedRows }, (_, index) => `conv_${from + index}`);

test('a conversation that comes while another leaves is new', () => {
  const arrivals = new Arrivals();
  expect(arrivals.hasNew('waiting', ['a', 'b'])).toBe(false);
  expect(arrivals.hasNew('waiting', ['c', 'a'])).toBe(true);
  expect(arrivals.hasNew('waiting', ['c', 'a'])).toBe(false);
  expect(arrivals.hasNew('waiting', ['a'])).toBe(false);
  expect(arrivals.hasNew('waiting', ['c', 'a'])).toBe(true);
});

test('the first conversation of an empty view is new, and each view is for itself', () => {
  const arrivals = new Arrivals();
  expect([arrivals.hasNew('mine', []), arrivals.hasNew('unread', ['a'])]).toEqual([false, false]);
  expect([arrivals.hasNew('mine', ['a']), arrivals.hasNew('unread', ['a'])]).toEqual([true, false]);
});

test('a conversation that moves up from below the compared rows is not new', () => {
  const arrivals = new Arrivals();
  arrivals.hasNew('waiting', many(0));
  expect(arrivals.hasNew('waiting', many(1))).toBe(false);
  expect(arrivals.hasNew('waiting', ['new', ...many(1).slice(0, -1)])).toBe(true);
});
