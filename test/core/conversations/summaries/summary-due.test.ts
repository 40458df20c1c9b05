import { expect, test } from 'vitest';
import { isSummaryDue } from '../../../../core/conversations/summary-schedule.ts';

test.each([
  ['a conversation of a few turns', { messageCount: 14, memoryFrom: 0, summaryUntil: 0 }, null],
  ['one that has grown', { messageCount: 16, memoryFrom: 0, summaryUntil: 0 }, 8],
  ['one that was summed up not long ago', { messageCount: 22, memoryFrom: 0, summaryUntil: 8 }, null],
  ['one that has grown since it was', { messageCount: 24, memoryFrom: 0, summaryUntil: 8 }, 16],
  ['what was before a resolution', { messageCount: 4, memoryFrom: 2, summaryUntil: 0 }, 2],
  ['what was summed up before a resolution', { messageCount: 4, memoryFrom: 2, summaryUntil: 2 }, null],
])('%s', (_, span, until) => {
  expect(isSummaryDue(span)).toBe(until);
});
