import { expect, test } from 'vitest';
import { z } from 'zod';
import { readCursor, writeCursor } from '../../core/cursor.ts';

const schema = z.tuple([z.string(), z.number()]);
const cursor = writeCursor('documents of ws_1', ['doc_1', 7]);
const refusal = expect.objectContaining({ code: 'invalid_cursor' });

test('a cursor leads back to where it was made', () => {
  expect(readCursor('documents of ws_1', cursor, schema)).toEqual(['doc_1', 7]);
});

test('a cursor of another list is refused', () => {
  expect(() => readCursor('documents of ws_2', cursor, schema)).toThrow(refusal);
});

test('a cursor that was changed in any one character is refused', () => {
  for (let index = 0; index < cursor.length; index += 1) {
    const other = cursor[index] === 'A' ? 'B' : 'A';
    const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
    expect(() => readCursor('documents of ws_1', changed, schema), changed).toThrow(refusal);
  }
});

test.each([
  ['cut short', cursor.slice(0, -1)],
  ['too long', `${cursor}A`],
  ['padded', `${cursor}=`],
  ['made up', 'hello'],
  ['empty', ''],
  ['not ASCII', 'ключ'],
])('a cursor that is %s is refused', (_, text) => {
  expect(() => readCursor('documents of ws_1', text, schema)).toThrow(refusal);
});

test('a cursor that holds something else is refused', () => {
  const odd = writeCursor('documents of ws_1', { at: 1 });
  expect(() => readCursor('documents of ws_1', odd, schema)).toThrow(refusal);
});
