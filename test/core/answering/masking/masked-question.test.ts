import { expect, test } from 'vitest';
import { maskQuestion } from '../../../../core/answering/masking.ts';

const card = '4111 1111 1111 1111';
const asked = {
  text: `Charge ${card}`,
  earlierTurns: [{ question: `My card is ${card}`, answer: `Is it ${card}?` }],
  summary: `He has ${card}`,
  overheard: [{ author: 'Ben', text: `Mine is ${card}` }],
};

test('masks secrets of every author in everything that a model reads', () => {
  const masked = maskQuestion({ settings: { mask_secrets: true } }, asked);
  expect(JSON.stringify(masked)).not.toContain('1111');
  expect(masked.overheard).toMatchObject([{ author: 'Ben', text: expect.stringMatching(/^Mine is /) }]);
});

test('keeps the question unchanged if the workspace does not mask secrets', () => {
  expect(maskQuestion({ settings: {} }, asked)).toEqual(asked);
});
