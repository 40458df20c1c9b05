import { expect, it } from 'vitest';
import {
  ANSWER_THRESHOLD,
  confidenceForScore,
  RELATED_THRESHOLD,
} from '../../../core/knowledge/ranking/rank-candidates.ts';

it('is low exactly below the score that answers', () => {
  expect(confidenceForScore(ANSWER_THRESHOLD)).toBe('medium');
  expect(confidenceForScore(ANSWER_THRESHOLD - 0.001)).toBe('low');
  expect(confidenceForScore(0)).toBe('low');
});

it('is high only where hardly any doubt is left', () => {
  expect(confidenceForScore(0.79)).toBe('medium');
  expect(confidenceForScore(0.8)).toBe('high');
});

it('finds passages related before they answer', () => {
  expect(RELATED_THRESHOLD).toBeLessThan(ANSWER_THRESHOLD);
});
