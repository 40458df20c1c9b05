import { describe, expect, test } from 'vitest';
import { cutPage, readCursor } from '../../core/pagination.ts';

const rows = Array.from({ length: 3 }, (_, index) => ({ id: `doc_${index}`, at: new Date(index * 1_000) }));
const cursor = { list: 'documents of ws_1', positionOf: (row: (typeof rows)[number]) => row };

describe('cutPage', () => {
  test('a row beyond the limit means that there is a further page, after the last row shown', () => {
    const page = cutPage(rows, 2, cursor);
    expect(page.items).toEqual(rows.slice(0, 2));
    expect(readCursor(cursor.list, page.nextCursor ?? '')).toEqual({ id: 'doc_1', at: new Date(1_000) });
  });

  test('the last page has no cursor', () => {
    expect(cutPage(rows, 3, cursor).nextCursor).toBeNull();
    expect(cutPage([], 3, cursor)).toEqual({ items: [], nextCursor: null });
  });
});

describe('readCursor', () => {
  const good = cutPage(rows, 2, cursor).nextCursor ?? '';

  test.each([
    ['of another list', 'documents of ws_2', good],
    ['cut short', cursor.list, good.slice(0, -8)],
    ['made up', cursor.list, 'hello'],
    ['empty', cursor.list, ''],
    ['of the wrong shape', cursor.list, Buffer.from('{"at":1}').toString('base64url')],
  ])('refuses a cursor that is %s', (_, list, text) => {
    expect(() => readCursor(list, text)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
  });
});
