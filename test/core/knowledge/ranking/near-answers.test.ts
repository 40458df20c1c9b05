import { expect, test } from 'vitest';
import { raiseNearAnswers } from '../../../../core/knowledge/ranking/rank-candidates.ts';
import { searchRules } from '../../../../core/knowledge/rules.ts';
import { searchSmallIndex } from '../../../helpers/stores/knowledge/small-index.ts';

const pods = {
  id: 'pods',
  body: 'Lettuce and basil are easy to grow. Sealed ones keep for 18 months in a cool cupboard.',
  cosine: 0.4,
};

/** Returns the score of a passage that shares no word with the question, by the cosines of its two units. */
function score(question: string, unitCosines: readonly number[]): number {
  const found = searchSmallIndex(question, [{ ...pods, unitCosines }]);
  expect(found.ranked[0]?.score).toBeLessThan(searchRules.answerThreshold);
  return raiseNearAnswers(found.question, found.ranked)[0]?.score ?? 0;
}

test('a near unit that holds the kind of thing asked for answers in other words', () => {
  expect(score('How long do unused pods stay good?', [0.2, 0.65])).toBe(searchRules.answerThreshold);
});

test('a near unit without it does not answer, nor does one that is not near', () => {
  expect(score('How long do unused pods stay good?', [0.65, 0.2])).toBeLessThan(searchRules.answerThreshold);
  expect(score('How long do unused pods stay good?', [0.2, 0.5])).toBeLessThan(searchRules.answerThreshold);
});

test('nothing answers in other words if the question does not say what kind of thing it asks for', () => {
  expect(score('Do unused pods stay good?', [0.65, 0.65])).toBeLessThan(searchRules.answerThreshold);
});
