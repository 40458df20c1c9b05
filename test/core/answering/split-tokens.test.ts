import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitTokens } from '../../../core/answering/writing/even-release.ts';

describe('the tokens of a text', () => {
  test('join to the same text, whatever it contains', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(' ', '\n\n', '\t', '返品は可能', 'สวัสดีครับ', 'e\u0301', '👩‍👩‍👧', '\ud83d', '\u2028'),
    );
    const text = fc.array(piece).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (whole) => {
        expect(splitTokens(whole).join('')).toBe(whole);
      }),
    );
  });

  test('are never empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (whole) => {
        expect(splitTokens(whole)).not.toContain('');
      }),
    );
  });

  test.each([
    ['Parcels arrive  soon.\n\n- now', ['Parcels ', 'arrive  ', 'soon.\n\n', '- ', 'now']],
    ['  indented', ['  ', 'indented']],
    ['返品はできますか', ['返品', 'は', 'でき', 'ます', 'か']],
    ['', []],
  ])('split %j into words', (text, tokens) => {
    expect(splitTokens(text)).toEqual(tokens);
  });
});
