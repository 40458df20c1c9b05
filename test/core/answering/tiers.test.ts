import { describe, expect, test } from 'vitest';
import { defaultTiers, requireOrderedTiers, tiersOf } from '../../../core/answering/rules.ts';

describe('the tiers of a workspace', () => {
  const usual = defaultTiers();

  test('are the usual ones until an owner moves them', () => {
    expect(tiersOf({})).toEqual(usual);
    expect(tiersOf({ answer_from: 0.6, maybe_from: 0.1 })).toEqual({ answer: 0.6, maybe: 0.1 });
    expect(tiersOf({ answer_from: null, maybe_from: null })).toEqual(usual);
  });

  test('leave no second one if the upper limit is moved below the usual lower one', () => {
    expect(tiersOf({ answer_from: 0.2 })).toEqual({ answer: 0.2, maybe: 0.2 });
  });

  test('may be equal, and a lower limit above the upper one is refused with both names', () => {
    expect(() => requireOrderedTiers({ answer_from: 0.5, maybe_from: 0.5 })).not.toThrow();
    expect(() => requireOrderedTiers({ answer_from: 0.2 })).not.toThrow();
    expect(() => requireOrderedTiers({ answer_from: 0.5, maybe_from: 0.55 })).toThrow(
      /maybe_from: must be at most answer_from, which is 0\.5/,
    );
    expect(() => requireOrderedTiers({ maybe_from: usual.answer + 0.05 })).toThrow(/maybe_from/);
  });
});
