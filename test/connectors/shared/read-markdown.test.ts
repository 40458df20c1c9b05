import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainText, parseMarkdown } from '../../../connectors/shared/markdown/read-markdown.ts';

/** Parses the text in full: with an empty line after it, no text takes the shortcut for plain text. */
const parsed = (text: string) => parseMarkdown(`${text}\n\n`, { tableColumns: 40 });

const pieces = [
  ...['a', 'Zürich', 'é', '한국', '7', '12', ' ', '  ', ' ', '. ', ', ', '; ', '? ', '! ', '-', ' - ', '– '],
  ...[
    "'",
    '"',
    '(',
    ')',
    '%',
    '€',
    '*',
    '_',
    '`',
    '#',
    '>',
    '[',
    ']',
    '<',
    '&',
    '\\',
    ':',
    '/',
    '@',
    '|',
    '~',
  ],
  ...['www.', 'example.com', 'http://', '\n', '1. ', '+ ', '=', '===', '---', 'e\u0301'],
];

test('a text that is recognised as plain reads the same as after parsing', () => {
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((some) => some.join(''));
  fc.assert(
    fc.property(text, (one) => {
      if (isPlainText(one)) expect(parseMarkdown(one, { tableColumns: 40 })).toEqual(parsed(one));
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['Refunds are accepted within thirty days of purchase.', true],
  ['Ja – für 20 € (oder weniger), sagt "er".', true],
  ['See www.example.com', false],
  ['See https://example.com', false],
  ['Write to me@example.com', false],
  ['1. First', false],
  ['- First', false],
  ['Two\nlines', false],
  ['This is **bold**.', false],
])('whether %s is plain: %s', (text, plain) => {
  expect(isPlainText(text)).toBe(plain);
});
