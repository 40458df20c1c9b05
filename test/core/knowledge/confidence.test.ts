import { expect, it } from 'vitest';
import {
  ANSWER_THRESHOLD,
  confidenceForScore,
  RELATED_THRESHOLD,
} from '../../../core/knowledge/ranking/rank-candidates.ts';

it('is low exactly below the answer threshold', () => {
  expect(confidenceForScore(ANSWER_THRESHOLD)).toBe('medium');
  expect(confidenceForScore(ANSWER_THRESHOLD - 0.001)).toBe('low');
  expect(confidenceForScore(0)).toBe('low');
});

it('is high only above the high threshold', () => {
  expect(confidenceForScore(0.79)).toBe('medium');
  expect(confidenceForScore(0.8)).toBe('high');
});

it('has a lower threshold for related passages than for answers', () => {
  expect(RELATED_THRESHOLD).toBeLessThan(ANSWER_THRESHOLD);
});
