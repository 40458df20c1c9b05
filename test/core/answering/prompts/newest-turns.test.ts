import { expect, test } from 'vitest';
import { newestTurns } from '../../../../core/answering/prompts/fences.ts';

const turn = (question: string, length: number) => ({ question, answer: 'a'.repeat(length - 1) });
const kept = (turns: Parameters<typeof newestTurns>[0]) =>
  newestTurns(turns, 100)
    .map(({ question }) => question)
    .join('');

test('the newest turns are kept, oldest first, as many as fit', () => {
  expect(kept([turn('1', 200), turn('2', 200), turn('3', 200)])).toBe('23');
  expect(kept([turn('1', 201), turn('2', 200)])).toBe('2');
});

test('a turn that does not fit ends it, and is never cut', () => {
  expect(kept([turn('1', 10), turn('2', 500), turn('3', 10)])).toBe('3');
  expect(kept([turn('1', 500)])).toBe('');
});

test('a turn without an answer is its question', () => {
  expect(newestTurns([{ question: 'Why?', answer: null }], 1)).toEqual([{ question: 'Why?', answer: null }]);
});
