import { expect, test } from 'vitest';
import { selectSummaryBatch } from '../../../../workers/summaries/summarise-conversation.ts';

/** `u` asks, `a` answers, `p` is a person; each of so many characters. */
const messages = (roles: string, length = 10) =>
  Array.from(roles, (role, index) => ({
    position: index + 4,
    role: { u: 'user', a: 'assistant' }[role] ?? 'agent',
    content: 'x'.repeat(length),
  }));
const taken = (roles: string, until: number, length?: number) =>
  selectSummaryBatch(messages(roles, length), until).length;

test('what is before the end is taken, and nothing after it', () => {
  expect(taken('uauaua', 8)).toBe(4);
  expect(taken('uaua', 8)).toBe(4);
  expect(taken('uaua', 4)).toBe(0);
});

test('a question stays with what was answered to it', () => {
  expect(taken('uauppaua', 9)).toBe(2);
  expect(taken('uauppaua', 10)).toBe(6);
});

test('no more is taken than a model reads at once, each message whole', () => {
  expect(taken('uauaua', 10, 3_000)).toBe(4);
  expect(taken('uauaua', 10, 6_000)).toBe(2);
});

test('what is too long for once is taken alone', () => {
  expect(taken('uaua', 8, 10_000)).toBe(1);
  expect(taken('uaua', 8, 50_000)).toBe(1);
});
