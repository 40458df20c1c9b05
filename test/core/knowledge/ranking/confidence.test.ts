import { expect, it } from 'vitest';
import { confidenceForScore } from '../../../../core/knowledge/ranking/rank-candidates.ts';
import { searchRules } from '../../../../core/knowledge/rules.ts';

it('is low exactly below the answer threshold', () => {
  expect(confidenceForScore(searchRules.answerThreshold)).toBe('medium');
  expect(confidenceForScore(searchRules.answerThreshold - 0.001)).toBe('low');
  expect(confidenceForScore(0)).toBe('low');
});

it('is high only above the high threshold', () => {
  expect(confidenceForScore(0.79)).toBe('medium');
  expect(confidenceForScore(0.8)).toBe('high');
});

it('has a lower threshold for related passages than for answers', () => {
  expect(searchRules.relatedThreshold).toBeLessThan(searchRules.answerThreshold);
});
