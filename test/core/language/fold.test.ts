import { expect, it } from 'vitest';
import { fold, foldCase } from '../../../core/language/words.ts';

it.each([
  ['Größe', 'GRÖSSE'],
  ['Crème brûlée', 'creme brulee'],
  ['İSTANBUL', 'istanbul'],
  ['ΜΉΝΑΣ', 'μήνας'],
  ['ＡＢＣ１２３', 'abc123'],
  ['أحمد', 'احمد'],
  ['كِتَاب', 'كتاب'],
  ['Łódź', 'lodz'],
])('%s and %s become one word', (one, other) => {
  expect(fold(one)).toBe(fold(other));
});

it('foldCase keeps words distinct that differ only by diacritics', () => {
  expect(foldCase('Hàng')).toBe('hàng');
  expect(foldCase('Hàng')).not.toBe(foldCase('Hãng'));
});
