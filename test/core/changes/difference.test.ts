import { expect, test } from 'vitest';
import { compareAnswers, isAccepted } from '../../../core/changes/difference.ts';

const right = { outcome: 'right', tier: 'answer', text: 'Nine.', sourceTitle: 'Hours' } as const;

test('a better outcome is better whatever the words, and no answer is better than a wrong one', () => {
  const better = [
    [{ ...right, outcome: 'unsure', tier: 'maybe' }, right],
    [
      { ...right, outcome: 'wrong' },
      { ...right, outcome: 'refused', tier: 'none' },
    ],
    [
      { ...right, outcome: 'error' },
      { ...right, outcome: 'wrong' },
    ],
  ] as const;
  for (const [live, trial] of better) {
    expect(compareAnswers(live, trial, false)).toBe('better');
    expect(compareAnswers(trial, live, false)).toBe('worse');
  }
});

test('quoted answers differ by words or tier, and spacing does not count', () => {
  expect(compareAnswers(right, { ...right, text: ' Nine.\n' }, false)).toBe('same');
  expect(compareAnswers(right, { ...right, text: 'At nine.' }, false)).toBe('differs');
  expect(compareAnswers(right, { ...right, tier: 'maybe' }, false)).toBe('differs');
});

test('answers of a model differ by their source', () => {
  expect(compareAnswers(right, { ...right, text: 'At nine.' }, true)).toBe('same');
  expect(compareAnswers(right, { ...right, sourceTitle: 'Old hours' }, true)).toBe('differs');
});

test('the word of a person decides; without one, only a better answer is accepted', () => {
  expect(isAccepted('better', null)).toBe(true);
  expect(isAccepted('differs', null)).toBe(false);
  expect(isAccepted('worse', null)).toBe(false);
  expect(isAccepted('worse', 'fine')).toBe(true);
  expect(isAccepted('better', 'worse')).toBe(false);
  expect(isAccepted('same', null)).toBe(true);
});
