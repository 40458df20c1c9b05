import { expect, test } from 'vitest';
import { cutPage } from '../../core/pagination.ts';

const rows = ['one', 'two', 'three'];
const cursorAfter = (row: string) => `after ${row}`;

test('a row beyond the limit means that there is a further page, after the last row shown', () => {
  expect(cutPage(rows, 2, cursorAfter)).toEqual({ items: ['one', 'two'], nextCursor: 'after two' });
});

test('the last page has no cursor', () => {
  expect(cutPage(rows, 3, cursorAfter).nextCursor).toBeNull();
  expect(cutPage([], 3, cursorAfter)).toEqual({ items: [], nextCursor: null });
});
