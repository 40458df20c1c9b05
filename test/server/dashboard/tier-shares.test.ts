import { describe, expect, test } from 'vitest';
import { tierShares } from '../../../server/dashboard/browser/screens/settings/answers/tier-shares.ts';

const binsOf = (counts: Readonly<Record<number, number>>) =>
  Array.from({ length: 20 }, (_, bin) => counts[bin] ?? 0);

describe('the share of answers in each tier', () => {
  test('is counted by whole bins at their edges', () => {
    // .10 to .15, .15 to .20, .40 to .45 and .95 to 1.
    const bins = binsOf({ 2: 1, 3: 2, 8: 3, 19: 4 });
    expect(tierShares(bins, { answer: 0.4, maybe: 0.15 })).toEqual({
      answer: expect.closeTo(0.7),
      maybe: expect.closeTo(0.2),
      none: expect.closeTo(0.1),
    });
  });

  test('takes the part of a bin that a limit cuts', () => {
    expect(tierShares(binsOf({ 8: 10 }), { answer: 0.41, maybe: 0.25 })).toEqual({
      answer: expect.closeTo(0.8),
      maybe: expect.closeTo(0.2),
      none: expect.closeTo(0),
    });
  });

  test('has no second tier with equal limits, and is unknown without answers', () => {
    expect(tierShares(binsOf({ 8: 1, 3: 1 }), { answer: 0.4, maybe: 0.4 })?.maybe).toBe(0);
    expect(tierShares(binsOf({}), { answer: 0.4, maybe: 0.25 })).toBeNull();
  });
});
