import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CursorSeal, readCursor, writeCursor } from '../../core/base/pagination.ts';
import { SecretBox } from '../../core/secrets/secret-box.ts';

const schema = z.tuple([z.string(), z.number()]);
const cursor = writeCursor('documents of ws_1', ['doc_1', 7]);
const refusal = expect.objectContaining({ code: 'invalid_cursor' });

test('a cursor returns the position that it was made for', () => {
  expect(readCursor('documents of ws_1', cursor, schema)).toEqual(['doc_1', 7]);
});

test('a cursor of another list is rejected', () => {
  expect(() => readCursor('documents of ws_2', cursor, schema)).toThrow(refusal);
});

test('a cursor with any single character changed is rejected', () => {
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
])('a cursor that is %s is rejected', (_, text) => {
  expect(() => readCursor('documents of ws_1', text, schema)).toThrow(refusal);
});

test('a cursor with other content is rejected', () => {
  const odd = writeCursor('documents of ws_1', { at: 1 });
  expect(() => readCursor('documents of ws_1', odd, schema)).toThrow(refusal);
});

describe('a sealed cursor', () => {
  const sealWith = (byte: number) => new CursorSeal(new SecretBox(Buffer.alloc(32, byte)));
  const sealed = sealWith(1).seal(cursor);

  test('is accepted by every process of its installation, also after a restart', () => {
    expect(sealWith(1).open(sealed)).toBe(cursor);
    expect(sealed).toMatch(/^[\w-]+=[\w-]+$/);
  });

  test('is rejected by another installation', () => {
    expect(() => sealWith(2).open(sealed)).toThrow(refusal);
  });

  test('cannot be forged without the key', () => {
    expect(() => sealWith(1).open(cursor)).toThrow(refusal);
    expect(() => sealWith(1).open('')).toThrow(refusal);
    expect(() => sealWith(1).open('ключключключключключ')).toThrow(refusal);
  });

  test('is rejected with any single character changed', () => {
    for (let index = 0; index < sealed.length; index += 1) {
      const other = sealed[index] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
      expect(() => readCursor('documents of ws_1', sealWith(1).open(changed), schema), changed).toThrow(
        refusal,
      );
    }
  });
});
