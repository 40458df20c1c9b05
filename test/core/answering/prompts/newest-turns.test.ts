import { expect, test } from 'vitest';
import { newestTurns } from '../../../../core/answering/prompts/fences.ts';

const turn = (question: string, length: number) => ({ question, answer: 'a'.repeat(length - 1) });
const kept = (turns: Parameters<typeof newestTurns>[0]) =>
  newestTurns(turns, 100)
    .map(({ question }) => question)
    .join('');

test('keeps the newest turns that fit, oldest first', () => {
  expect(kept([turn('1', 200), turn('2', 200), turn('3', 200)])).toBe('23');
  expect(kept([turn('1', 201), turn('2', 200)])).toBe('2');
});

test('stops at a turn that does not fit, without truncating it', () => {
  expect(kept([turn('1', 10), turn('2', 500), turn('3', 10)])).toBe('3');
  expect(kept([turn('1', 500)])).toBe('');
});

test('counts only the question of a turn without an answer', () => {
  expect(newestTurns([{ question: 'Why?', answer: null }], 1)).toEqual([{ question: 'Why?', answer: null }]);
});
