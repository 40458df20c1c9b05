import { describe, expect, test } from 'vitest';
import {
  correctProbability,
  identityCorrection,
  undoCorrection,
} from '../../../core/workspaces/correction.ts';

const corrections = [
  { slope: 1, offset: -0.8 },
  { slope: 0.25, offset: 3 },
  { slope: 4, offset: -3 },
  { slope: 1.4, offset: 0.2 },
];
const probabilities = Array.from({ length: 99 }, (_, index) => (index + 1) / 100);

describe('a correction', () => {
  test('keeps the order of probabilities, between 0 and 1', () => {
    for (const correction of corrections) {
      const corrected = probabilities.map((probability) => correctProbability(probability, correction));
      expect(corrected).toEqual(corrected.toSorted((one, other) => one - other));
      expect(corrected.every((probability) => probability > 0 && probability < 1)).toBe(true);
    }
  });

  test('is undone exactly', () => {
    for (const correction of corrections) {
      for (const probability of probabilities) {
        const corrected = correctProbability(probability, correction);
        expect(undoCorrection(corrected, correction)).toBeCloseTo(probability, 9);
      }
    }
  });

  test('changes nothing if it is the identity or none, and leaves nothing found at 0', () => {
    for (const probability of probabilities) {
      expect(correctProbability(probability, null)).toBe(probability);
      expect(correctProbability(probability, identityCorrection)).toBeCloseTo(probability, 12);
    }
    expect(correctProbability(0, { slope: 1, offset: 3 })).toBe(0);
    expect(undoCorrection(0, { slope: 1, offset: 3 })).toBe(0);
  });
});
