import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkSearch, parseSearch, soughtWords } from '../../../../core/conversations/list/search-query.ts';

/** The clauses in one line each: alternatives with `|`, negated terms with `!`. */
function shown(typed: string): readonly string[] {
  return parseSearch(typed).map(({ either }) =>
    either
      .map(({ term, isNegated }) => {
        const { kind, ...rest } = term;
        return `${isNegated ? '!' : ''}${kind}=${Object.values(rest).join()}`;
      })
      .join(' | '),
  );
}

describe('what an agent types', () => {
  test.each([
    ['refund  parcel', ['words=refund', 'words=parcel']],
    ['"late parcel" refund', ['phrase=late parcel', 'words=refund']],
    ['“late parcel', ['phrase=late parcel']],
    ['refund OR return parcel', ['words=refund | words=return', 'words=parcel']],
    ['OR refund OR', ['words=refund']],
    ['-parcel -"two words" -tag:vip', ['!words=parcel', '!phrase=two words', '!tag=vip']],
    ['from:ann FROM:"Ann Lee"', ['from=ann', 'from=Ann Lee']],
    ['tag:VIP channel:Email is:Open', ['tag=VIP', 'channel=email', 'is=open']],
    ['after:2026-01-31', ['after=2026-01-31T00:00:00.000Z']],
    ['before:soon', ['invalid=“before:” takes a day such as 2026-03-31.']],
    ['before:2026-02-30', ['before=2026-03-02T00:00:00.000Z']],
    ['https://shop.example/a re:order', ['words=https://shop.example/a', 'words=re:order']],
    ['- : from: "" tag:', ['words=-', 'words=:']],
    ['or and not', ['words=or', 'words=and', 'words=not']],
  ])('%s', (typed, clauses) => {
    expect(shown(typed)).toEqual(clauses);
  });

  test('a value that a field cannot have is named with what it takes', () => {
    expect(() => checkSearch('tea is:new')).toThrow(/“is:” takes one of: open, claimed/);
    expect(() => checkSearch('x '.repeat(41))).toThrow('at most 40 words');
    for (const fine of [undefined, '', 'tea is:mine', 'x '.repeat(40)]) checkSearch(fine);
  });

  test('a passage is shown for words that must be there', () => {
    expect(soughtWords(parseSearch('refund -late from:ann "two words" is:open'))).toEqual([
      'refund',
      'two words',
    ]);
  });

  test('any text has a meaning', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (typed) => void parseSearch(typed)),
    );
  });
});
