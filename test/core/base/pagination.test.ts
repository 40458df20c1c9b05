import { expect, test } from 'vitest';
import { cutPage } from '../../../core/base/pagination.ts';

const rows = ['one', 'two', 'three'];
const cursorAfter = (row: string) => `after ${row}`;

test('one row beyond the limit gives a cursor after the last returned row', () => {
  expect(cutPage(rows, 2, cursorAfter)).toEqual({ items: ['one', 'two'], nextCursor: 'after two' });
});

test('the last page has no cursor', () => {
  expect(cutPage(rows, 3, cursorAfter).nextCursor).toBeNull();
  expect(cutPage([], 3, cursorAfter)).toEqual({ items: [], nextCursor: null });
});
