import { expect, test } from 'vitest';
import { measureText } from '../../../../core/sources/holds/measure-text.ts';

const measure = (text: string, contentType = 'text/html', key = 'https://acme.example/docs/returns') =>
  measureText(Buffer.from(text), { contentType, key });

test('tags and white space do not count as text', () => {
  expect(measure('<p class="a">Send it\n  back.</p><hr>').size).toBe('Send it back.'.length);
  expect(measure('# Send it back.', 'text/markdown').size).toBe('# Send it back.'.length);
});

const partsOf = (...given: Parameters<typeof measure>) => measure(...given).fingerprint.split('.');

test('pages that differ in numbers and in their own address have the same text without numbers', () => {
  const shell = (path: string, token: number) =>
    partsOf(`<p>Sign in to read ${path} (${token}).</p>`, 'text/html', `https://acme.example/${path}`);
  expect(shell('returns', 1)[0]).toBe(shell('delivery', 2)[0]);
  expect(shell('returns', 1)[1]).not.toBe(shell('delivery', 2)[1]);
  expect(shell('returns', 1)).toEqual(shell('delivery', 1));
  expect(partsOf('<p>Delivery costs money.</p>')[0]).not.toBe(partsOf('<p>Returns cost money.</p>')[0]);
});

test('an unclosed tag ends the text', () => {
  expect(measure('Text <a href="').size).toBe('Text'.length);
});

test('a file that is no text is measured by its bytes', () => {
  const { size } = measureText(Buffer.alloc(5_000, 1), { contentType: 'application/pdf', key: 'a.pdf' });
  expect(size).toBe(5_000);
});
