import { expect, test } from 'vitest';
import { isSummaryDue } from '../../../../core/conversations/summary-schedule.ts';

test.each([
  ['a short conversation', { messageCount: 14, memoryFrom: 0, summaryUntil: 0 }, null],
  ['a longer conversation', { messageCount: 16, memoryFrom: 0, summaryUntil: 0 }, 8],
  ['a recent summary', { messageCount: 22, memoryFrom: 0, summaryUntil: 8 }, null],
  ['a summary that is out of date', { messageCount: 24, memoryFrom: 0, summaryUntil: 8 }, 16],
  ['messages before a resolution', { messageCount: 4, memoryFrom: 2, summaryUntil: 0 }, 2],
  ['summarised messages before a resolution', { messageCount: 4, memoryFrom: 2, summaryUntil: 2 }, null],
])('%s', (_, span, until) => {
  expect(isSummaryDue(span)).toBe(until);
});
