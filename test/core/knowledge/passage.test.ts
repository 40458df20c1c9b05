import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkDocument } from '../../../core/knowledge/chunk-document.ts';
import { loadDocument } from '../../../core/knowledge/loaders/load-document.ts';
import { parsePassage, plainText, rowLines, tableFrame, tableRow } from '../../../core/knowledge/passage.ts';

async function bodies(markdown: string): Promise<readonly string[]> {
  const bytes = new TextEncoder().encode(markdown);
  const document = await loadDocument({ bytes, fileName: 'page.mdx', contentType: null });
  return chunkDocument(document).map(({ body }) => body);
}

describe('the plain form', () => {
  test('of running text and lists is the text itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('```') && !text.includes('|'));
        expect(plainText(text)).toBe(text);
      }),
    );
  });

  test('of any table is one line of labelled values for each row', () => {
    const cell = fc.stringMatching(/^[a-z|\\ ]{0,12}$/u).map((text) => text.replace(/\s+/gu, ' ').trim());
    const name = cell.map((text) => `n${text}`);
    const rows = fc.array(fc.tuple(name, cell, cell), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rows, (cells) => {
        const labels = ['Name', 'Fee', ''];
        const table = tableFrame(labels, 3).open + cells.map(tableRow).join('\n');
        expect(plainText(table)).toBe(rowLines(labels, cells).join('\n'));
      }),
    );
  });

  test('of code has no fence', () => {
    expect(plainText('Run:\n\n```sh title="npm"\nnpm ci\n```')).toBe('Run:\n\nnpm:\nnpm ci');
  });
});

test('a fence without an end is running text', () => {
  expect(parsePassage('```\na\nb')).toEqual([{ kind: 'text', text: '```\na\nb' }]);
});

test('code that contains a fence gets a longer one', async () => {
  const [body = ''] = await bodies('````md\n```js\n1\n```\n````');
  expect(body).toBe('````md\n```js\n1\n```\n````');
  expect(parsePassage(body)).toHaveLength(1);
});

test('a table that is cut has its header in every passage', async () => {
  const rows = Array.from(
    { length: 60 },
    (_, index) => `| Country ${index} | ${index} days by ship or by rail |`,
  );
  const passages = await bodies(`| Country | Delivery |\n| --- | --- |\n${rows.join('\n')}`);
  expect(passages.length).toBeGreaterThan(2);
  for (const passage of passages)
    expect(passage).toMatch(/^\| Country \| Delivery \|\n\| --- \| --- \|\n\| Country \d/u);
});

test('code that is cut is fenced in every passage', async () => {
  const lines = Array.from({ length: 120 }, (_, index) => `set option_${index} to the value ${index}`);
  const passages = await bodies(`\`\`\`conf\n${lines.join('\n')}\n\`\`\``);
  expect(passages.length).toBeGreaterThan(2);
  for (const passage of passages) expect(passage).toMatch(/^```conf\n[^`]*\n```$/u);
});

test('code of up to 1,500 characters stays with the sentence before it', async () => {
  const code = Array.from({ length: 30 }, (_, index) => `set option_${index} to the value ${index}`).join(
    '\n',
  );
  const text = 'The workshop opens at eight in the morning and closes at six. '.repeat(12).trim();
  const passages = await bodies(`${text}\n\nSet the options:\n\n\`\`\`conf\n${code}\n\`\`\`\n`);
  expect(passages.at(-1)).toBe(`Set the options:\n\n\`\`\`conf\n${code}\n\`\`\``);
});

describe('MDX and MkDocs', () => {
  test('content of components is read as Markdown, with their titles', async () => {
    expect(
      await bodies('<Note title="First">\n    Use **two** hands.\n\n    - one\n    - two\n</Note>\n'),
    ).toEqual(['First\n\nUse two hands.\n\n- one\n- two']);
  });

  test('the title of a tab becomes the title of its code', async () => {
    expect(await bodies('=== "pip (Python)"\n\n    ```sh\n    pip install x\n    ```\n')).toEqual([
      '```sh title="pip (Python)"\npip install x\n```',
    ]);
  });

  test('tags in code stay', async () => {
    expect(await bodies('Use `<Note>` so:\n\n```jsx\n<Note title="x">\n  text\n</Note>\n```\n')).toEqual([
      'Use <Note> so:\n\n```jsx\n<Note title="x">\n  text\n</Note>\n```',
    ]);
  });

  test('text after an admonition is not part of it', async () => {
    expect(await bodies('!!! note\n    Inside.\n\nOutside.\n\n    code\n')).toEqual([
      'Inside.\n\nOutside.\n\n```\ncode\n```',
    ]);
  });
});
