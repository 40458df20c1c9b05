import { describe, expect, test } from 'vitest';
import type { LoadedDocument } from '../../../../core/knowledge/loaders/loader.ts';
import { loadAs } from '../../../helpers/documents/load-as.ts';

const load = (markdown: string): Promise<LoadedDocument> => loadAs({ fileName: 'page.md' }, markdown);
const texts = async (markdown: string): Promise<readonly string[]> =>
  (await load(markdown)).blocks.map(({ text }) => text);

describe('front matter', () => {
  test('yields title and URL and is not text', async () => {
    const markdown =
      '---\ntitle: "Fees"\nurl: https://juniper.example/fees\ntags: [a, b]\n---\n\nNine pounds.';
    expect(await load(markdown)).toEqual({
      title: 'Fees',
      url: 'https://juniper.example/fees',
      blocks: [{ headings: [], kind: 'paragraph', text: 'Nine pounds.' }],
    });
  });

  test('TOML front matter is read too', async () => {
    expect(await load('+++\ntitle = "Fees"\ndraft = false\n+++\nNine pounds.')).toMatchObject({
      title: 'Fees',
    });
  });

  test('a title with an unquoted colon is read although it is invalid YAML', async () => {
    expect(await load('---\ntitle: Fees: an overview\n---\nNine pounds.')).toMatchObject({
      title: 'Fees: an overview',
      blocks: [{ text: 'Nine pounds.' }],
    });
  });

  test('is recognised with Windows line ends', async () => {
    expect(await load('---\r\ntitle: Fees\r\n---\r\nNine pounds.')).toMatchObject({ title: 'Fees' });
  });

  test('text between two rules is not front matter', async () => {
    expect(await texts('---\n\nHello.\n\n---\n\nWorld.')).toEqual(['Hello.', 'World.']);
  });

  test('an alias bomb in YAML does not hide the text', async () => {
    const bomb = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`).join(
      '\n',
    );
    expect(await texts(`---\na0: &a0 x\n${bomb}\n---\nNine pounds.`)).toEqual(['Nine pounds.']);
  });
});

describe('title', () => {
  test('a single first-level heading at the start is the title', async () => {
    expect(await load('# Fees\n\n## Norway\n\nNine pounds.')).toMatchObject({
      title: 'Fees',
      blocks: [{ headings: ['Norway'] }],
    });
  });

  test('several first-level headings are sections', async () => {
    expect(await load('# Fees\n\nNine pounds.\n\n# Hours\n\nFrom eight.')).toMatchObject({
      title: null,
      blocks: [{ headings: ['Fees'] }, { headings: ['Hours'] }],
    });
  });

  test('a first-level heading without content above sections of its level is the title', async () => {
    expect(await load('# Handbook\n\n# Fees\n\nNine pounds.\n\n# Hours\n\nFrom eight.')).toMatchObject({
      title: 'Handbook',
      blocks: [{ headings: ['Fees'] }, { headings: ['Hours'] }],
    });
  });
});

describe('syntax of site generators', () => {
  test.each([
    ['Hugo shortcodes', 'We are {{< team-size >}} people.', 'We are people.'],
    ['comments', 'Before.\n<!-- vale off -->\nAfter.', 'Before.\n\nAfter.'],
    ['comments between paragraphs', '<!-- draft\n\n## Old\n-->\n\nAfter.', 'After.'],
    ['Kramdown attributes', 'Hello.\n{: .lead}', 'Hello.'],
    ['inline HTML', 'A <span class="x">B</span> <br/>C <i></i>D', 'A B\nC D'],
    ['embedded players', '<figure><iframe src="https://v.example"></iframe></figure>\n\nAfter.', 'After.'],
    ['table of contents markers', '[[_TOC_]]\n\nAfter.', 'After.'],
    ['GitHub alerts', '> [!NOTE]\n> Wear a helmet.', 'Wear a helmet.'],
    ['Docusaurus admonitions', ':::warning\n\nWear a helmet.\n\n:::', 'Wear a helmet.'],
  ])('%s are removed from the text', async (_, markdown, text) => {
    expect((await texts(markdown)).join('\n')).toBe(text.replace('\n\n', '\n'));
  });

  test('icons and anchors are removed from headings', async () => {
    const { blocks } = await load('## <i class="fas fa-users"></i> About us {#about}\n\nText.');
    expect(blocks).toMatchObject([{ headings: ['About us'] }]);
  });

  test('a details shortcode becomes a section under its summary', async () => {
    const markdown = '{{% details summary="Is it free?" %}}\nYes, **always**.\n{{% /details %}}\n\nAfter.';
    expect((await load(markdown)).blocks).toMatchObject([
      { headings: ['Is it free?'], text: 'Yes, always.' },
      { headings: [], text: 'After.' },
    ]);
  });

  test('the header of a card shortcode is text', async () => {
    expect(await texts('{{% card header="**Equity**" %}}\n**Why:** because.\n{{% /card %}}')).toEqual([
      'Equity',
      'Why: because.',
    ]);
  });

  test('code stays unchanged', async () => {
    const code = '{{< shortcode >}}\n<!-- comment -->\n# no heading';
    expect((await load(`Before.\n\n\`\`\`html\n${code}\n\`\`\`\n`)).blocks.at(-1)).toMatchObject({
      kind: 'code',
      text: code,
    });
  });

  test('an unclosed element in prose does not swallow the rest', async () => {
    expect((await texts('Close the <script> tag and the <title> tag.\n\nAfter.')).at(-1)).toBe('After.');
  });
});

describe('blocks', () => {
  test('lists numbered 1. throughout are renumbered', async () => {
    expect(await texts('1. One\n1. Two\n    - inner\n1. Three')).toEqual([
      '1. One\n2. Two\n   - inner\n3. Three',
    ]);
  });

  test('table rows name their columns', async () => {
    expect(
      await texts('| Channel | Purpose |\n| - | - |\n| `#git` | Ask [here](/x). |\n| `#hr` | |'),
    ).toEqual(['Channel: #git; Purpose: Ask here.\nChannel: #hr']);
  });

  test('bare URLs and mail addresses are kept', async () => {
    expect(await texts('Write to <help@juniper.example> or see https://juniper.example/help.')).toEqual([
      'Write to help@juniper.example or see https://juniper.example/help.',
    ]);
  });

  test('footnotes are kept as text without numbers and arrows', async () => {
    expect(await texts('Nine pounds[^1].\n\n[^1]: Without tax.')).toEqual([
      'Nine pounds.',
      '1. Without tax.',
    ]);
  });

  test('a long text rendered in sections keeps its links and structure', async () => {
    const section = `## Section\n\nSee [the fees][fees].\n\n- one\n\n  two\n\n\`\`\`\nX\n\nY\n\`\`\`\n\n${'word '.repeat(200)}\n\n`;
    const { blocks } = await load(`${section.repeat(60)}[fees]: https://juniper.example\n`);
    const [first, ...rest] = Array.from({ length: 60 }, (_, index) => blocks.slice(index * 4, index * 4 + 4));
    expect(first?.map(({ text }) => text.slice(0, 13))).toEqual([
      'See the fees.',
      '- one\n  two',
      'X\n\nY',
      'word word wor',
    ]);
    for (const blocksOfSection of rest) expect(blocksOfSection).toEqual(first);
  });
});

describe('hostile texts', () => {
  test.each([
    ['quotes', '> '.repeat(100_000)],
    ['elements', '<div>\n'.repeat(2000)],
  ])('endlessly nested %s are refused', async (_, markdown) => {
    await expect(load(`${markdown}x`)).rejects.toMatchObject({ code: 'nested_too_deeply' });
  });
});
