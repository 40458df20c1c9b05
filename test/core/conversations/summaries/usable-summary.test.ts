import { expect, test } from 'vitest';
import { filterSummary } from '../../../../workers/summaries/summarise-conversation.ts';

test('omits a sentence with a number that the conversation does not contain', () => {
  const written =
    'The visitor ordered two spades in March. The order A-77 costs 40 euros. He has waited for it for 3 days now.';
  expect(filterSummary(written, ['I ordered 2 spades, A-77, 40 euros.'])).toBe(
    'The visitor ordered two spades in March. The order A-77 costs 40 euros.',
  );
});

test('ends a summary that is too long with a complete sentence', () => {
  const sentence = 'The visitor asked whether the spade that he bought can be sharpened.';
  const summary = filterSummary(Array.from({ length: 90 }, () => sentence).join(' '), []);
  expect(summary.length).toBeLessThanOrEqual(2_000);
  expect(summary.length).toBeGreaterThan(1_900);
  expect(summary.replaceAll(sentence, '').trim()).toBe('');
});

test('removes characters that PostgreSQL cannot store', () => {
  expect(filterSummary('He \0asked.\ud800', [])).toBe('He asked.\ufffd');
});
