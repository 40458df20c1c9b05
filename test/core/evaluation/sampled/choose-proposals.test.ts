import { describe, expect, test } from 'vitest';
import { maskNumbers } from '../../../../core/evaluation/sampled/candidates.ts';
import {
  type ChoosableQuestion,
  chooseProposals,
  type SampledOutcome,
} from '../../../../core/evaluation/sampled/choose-proposals.ts';

interface Named extends ChoosableQuestion {
  readonly name: string;
}

/** A question in a direction, in degrees: topics are 53° wide, wordings of one question 31°. */
const question = (name: string, outcome: SampledOutcome, degrees: number, language = 'en'): Named => ({
  ...{ name, outcome, language, modelId: 0, leastCosine: 0.6, sameCosine: 0.85 },
  vector: [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)],
});
const choose = async (questions: readonly Named[], count: number, known: readonly string[] = []) =>
  (await chooseProposals(questions, { count, isKnown: async ({ name }) => known.includes(name) })).map(
    ({ name }) => name,
  );

describe('proposals', () => {
  test('take all outcomes in turn, however many questions each has', async () => {
    const answered = [0, 60, 120, 180].map((degrees) => question(`a${degrees}`, 'answered', degrees));
    const others = [question('d', 'disliked', 240), question('n', 'unanswered', 300)];
    expect(await choose([...answered, ...others], 4)).toEqual(['a0', 'n', 'd', 'a60']);
  });

  test('take the topic that was taken least, not the one that is asked most', async () => {
    const often = [0, 40, -40].map((degrees) => question(`often${degrees}`, 'answered', degrees));
    const rare = question('rare', 'answered', 180);
    expect(await choose([...often, rare], 2)).toEqual(['often0', 'rare']);
    expect(await choose([...often, rare], 9)).toEqual(['often0', 'rare', 'often40', 'often-40']);
  });

  test('hold no two wordings of one question in a language, and none of a test question', async () => {
    const all = [
      question('one', 'answered', 0),
      question('same', 'unsure', 20),
      question('german', 'answered', 0, 'de'),
      question('known', 'answered', 100),
    ];
    expect(await choose(all, 9, ['known'])).toEqual(['one', 'german']);
  });

  test('end when no question is left, also if all are known', async () => {
    expect(await choose([], 5)).toEqual([]);
    expect(await choose([question('one', 'unsure', 0)], 5, ['one'])).toEqual([]);
  });
});

test('long numbers are masked, and a price, a year, a time or a date is not', () => {
  expect(maskNumbers('Order 4711-0815-22, call +49 (170) 123 45 67.')).toBe('Order [number], call [number].');
  const kept = 'Is it 1,299 € since 2024, open 9:00-17:30?';
  expect(maskNumbers(kept)).toBe(kept);
});
