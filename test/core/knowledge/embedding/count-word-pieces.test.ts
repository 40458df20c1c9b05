import { expect, it } from 'vitest';
import { countWordPieces, WORD_PIECE_WINDOW } from '../../../helpers/models/embedding/count-word-pieces.ts';

it('counts one piece for a common word, several for a rare or foreign one', () => {
  expect(countWordPieces('password')).toBe(1);
  expect(countWordPieces('Widerrufsbelehrung')).toBeGreaterThan(4);
  expect(countWordPieces('')).toBe(0);
});

it('counts beyond the window', () => {
  expect(WORD_PIECE_WINDOW).toBe(254);
  expect(countWordPieces('word '.repeat(WORD_PIECE_WINDOW + 1))).toBe(WORD_PIECE_WINDOW + 1);
});
