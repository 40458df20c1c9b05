import { expect, test } from 'vitest';
import { selectSummaryBatch } from '../../../../workers/summaries/summarise-conversation.ts';

/** Messages of a question (`u`), an answer (`a`) or an agent (`p`), each with the given number of characters. */
const messages = (roles: string, length = 10) =>
  Array.from(roles, (role, index) => ({
    position: index + 4,
    role: { u: 'user', a: 'assistant' }[role] ?? 'agent',
    content: 'x'.repeat(length),
  }));
const taken = (roles: string, until: number, length?: number) =>
  selectSummaryBatch(messages(roles, length), until).length;

test('takes the messages before the end, and none after it', () => {
  expect(taken('uauaua', 8)).toBe(4);
  expect(taken('uaua', 8)).toBe(4);
  expect(taken('uaua', 4)).toBe(0);
});

test('keeps a question together with its answer', () => {
  expect(taken('uauppaua', 9)).toBe(2);
  expect(taken('uauppaua', 10)).toBe(6);
});

test('takes no more than a model reads at once, each message whole', () => {
  expect(taken('uauaua', 10, 3_000)).toBe(4);
  expect(taken('uauaua', 10, 6_000)).toBe(2);
});

test('takes a message that exceeds the limit alone', () => {
  expect(taken('uaua', 8, 10_000)).toBe(1);
  expect(taken('uaua', 8, 50_000)).toBe(1);
});
