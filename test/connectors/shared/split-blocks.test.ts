import { describe, expect, test } from 'vitest';
import { renderPlainText } from '../../../connectors/shared/markdown/blocks.ts';
import { parseMarkdown } from '../../../connectors/shared/markdown/read-markdown.ts';
import { splitBlocks } from '../../../connectors/shared/markdown/split-blocks.ts';

function split(markdown: string, limit: number) {
  const blocks = parseMarkdown(markdown, { tableColumns: 40 });
  return splitBlocks(blocks, (part) => renderPlainText(part).length <= limit);
}

const texts = (markdown: string, limit: number) => split(markdown, limit).map(renderPlainText);

describe('splitting a text', () => {
  test('splits between paragraphs if each fits', () => {
    expect(texts('One two.\n\nThree four.\n\nFive.', 22)).toEqual(['One two.\n\nThree four.', 'Five.']);
  });

  test('keeps a paragraph whole if it fits a message, and leaves space unused', () => {
    expect(texts('Short.\n\nThis one is longer. It has two.', 32)).toEqual([
      'Short.',
      'This one is longer. It has two.',
    ]);
  });

  test('splits after a line, else a sentence, else a word', () => {
    expect(texts('first line here\nsecond line', 20)).toEqual(['first line here', 'second line']);
    expect(texts('First one here. Second one.', 20)).toEqual(['First one here.', 'Second one.']);
    expect(texts('several words without an end', 15)).toEqual(['several words', 'without an end']);
  });

  test('never splits within a grapheme', () => {
    const family = '👩‍👩‍👧‍👦';
    expect(texts(family.repeat(4), 25)).toEqual([family.repeat(2), family.repeat(2)]);
    expect(texts('é'.normalize('NFD').repeat(6), 5).every((part) => part.length === 4)).toBe(true);
  });

  test('splits a grapheme that is too long between its code points, and loses nothing', () => {
    const letter = `a${'\u0301'.repeat(50)}`;
    expect(texts(letter, 20).join('')).toBe(letter);
    expect(texts('😀'.repeat(3), 1).join('')).toBe('😀'.repeat(3));
  });

  test('never splits within a link or inline code, unless it is too long by itself', () => {
    expect(texts('Read all of [the long page](https://a.example/).', 45)).toEqual([
      'Read all of',
      'the long page (https://a.example/).',
    ]);
    expect(texts('Type `npm run build now` twice', 20)).toEqual(['Type', 'npm run build now', 'twice']);
  });

  test('keeps a heading with the text below it', () => {
    expect(texts('Before it.\n\n# Title\n\nThe text under it is this.', 40)).toEqual([
      'Before it.',
      'Title\n\nThe text under it is this.',
    ]);
  });
});

describe('splitting code', () => {
  const code = (lines: readonly string[]) => `\`\`\`python\n${lines.join('\n')}\n\`\`\``;

  test('never splits code that fits a message', () => {
    expect(texts(`Some words before it.\n\n${code(['a = 1', 'b = 2', 'c = 3'])}`, 30)).toEqual([
      'Some words before it.',
      'a = 1\nb = 2\nc = 3',
    ]);
  });

  test('closes longer code after a line and opens it again in its language', () => {
    const parts = split(code(['if a:', '    b = 2', '    c = 3', '    d = 4']), 16);
    expect(parts.flat()).toMatchObject([
      { kind: 'code', language: 'python', text: 'if a:\n    b = 2' },
      { kind: 'code', language: 'python', text: '    c = 3' },
      { kind: 'code', language: 'python', text: '    d = 4' },
    ]);
  });
});

test('shows markup as plain text if it is nested deeper than the parser can follow', () => {
  expect(texts('>'.repeat(9_000), 10_000)).toEqual(['>'.repeat(9_000)]);
});
