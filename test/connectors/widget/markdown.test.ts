import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, parseMarkdown, type Span } from '../../../connectors/widget/browser/view/markdown.ts';
import { processorMs } from '../../helpers/processor-ms.ts';

function spansOf(block: Block): readonly Span[] {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return block.spans;
    case 'quote':
      return block.blocks.flatMap(spansOf);
    case 'list':
      return block.items.flat().flatMap(spansOf);
    case 'table':
      return [...block.head, ...block.rows.flat()].flat();
    default:
      return [];
  }
}

function allSpans(spans: readonly Span[]): Span[] {
  return spans.flatMap((span) => ('spans' in span ? [span, ...allSpans(span.spans)] : [span]));
}

const linksIn = (text: string) =>
  allSpans(parseMarkdown(text).flatMap(spansOf)).flatMap((span) => (span.kind === 'link' ? span.href : []));

describe('the Markdown of answers', () => {
  test('supports the elements of answers', () => {
    const text = [
      '# Delivery',
      'Within **three** _working_ days, `DHL` ~~or not~~.',
      '1. first\n2. second\n   - inner',
      '> quoted',
      '```js\nconst a = "<b>";\n```',
      '| To | Cost |\n| --- | ---: |\n| Norway | 9 |',
      '---',
    ].join('\n\n');
    expect(parseMarkdown(text).map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'list',
      'quote',
      'code',
      'table',
      'rule',
    ]);
    expect(parseMarkdown('**three** _days_')[0]).toEqual({
      kind: 'paragraph',
      spans: [
        { kind: 'strong', spans: [{ kind: 'text', text: 'three' }] },
        { kind: 'text', text: ' ' },
        { kind: 'em', spans: [{ kind: 'text', text: 'days' }] },
      ],
    });
    expect(parseMarkdown('- a\n  - b')[0]).toMatchObject({
      items: [[{ kind: 'paragraph' }, { kind: 'list', items: [[{ kind: 'paragraph' }]] }]],
    });
  });

  test('ends a paragraph at the head of a table', () => {
    const blocks = parseMarkdown('**How much?**\n| To | Cost |\n| --- | --- |\n| Norway | 9 |');
    expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'table']);
    expect(parseMarkdown('a | b\nc').map(({ kind }) => kind)).toEqual(['paragraph']);
  });

  test.each([
    ['[help](https://help.example/a_(b))', ['https://help.example/a_(b)']],
    ['See https://help.example/a.', ['https://help.example/a']],
    ['[write](mailto:a@b.example)', ['mailto:a@b.example']],
    ['[x](javascript:alert(1))', []],
    ['[x](JaVaScRiPt:alert(1)) [y](data:text/html,z) [z](//evil.example)', []],
    ['<a href="https://evil.example">x</a>', ['https://evil.example']],
    ['![picture](https://a.example/b.png)', ['https://a.example/b.png']],
  ])('%s links to %j', (text, links) => {
    expect(linksIn(text)).toEqual(links);
  });

  test('shows HTML and incomplete markup as text', () => {
    const shown = (text: string) => JSON.stringify(parseMarkdown(text));
    expect(shown('<img src=x onerror=alert(1)>')).toContain('<img src=x onerror=alert(1)>');
    expect(shown('**three')).toContain('**three');
    expect(shown('snake_case_name and 2 * 3 * 4')).toContain('snake_case_name and 2 * 3 * 4');
    expect(shown('[half](https://')).toContain('[half](https://');
  });

  test.each([' - one\n - two', '  1. one\n  2. two', '   * one\n   * two'])(
    'reads a list that is indented itself: %j',
    (text) => {
      expect(parseMarkdown(text)).toMatchObject([
        {
          kind: 'list',
          items: ['one', 'two'].map((item) => [{ kind: 'paragraph', spans: [{ kind: 'text', text: item }] }]),
        },
      ]);
    },
  );

  test('parses any input, quickly, and links only to web pages and email addresses', async () => {
    const marks = [
      '**',
      '_',
      '`',
      '```\n',
      '\n> ',
      '\n- ',
      '\n - ',
      '\n   2. ',
      '\n1. ',
      '[a](',
      'javascript:',
      ')',
      '|a|\n|-|-|\n',
      '~~',
      '\\',
      '\n\n',
      'x',
      '<',
      '  ',
    ];
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...marks), fc.string()), { maxLength: 60 }), (parts) => {
        for (const href of linksIn(parts.join(''))) expect(href).toMatch(/^(?:https?:\/\/|mailto:)/i);
      }),
      { numRuns: 500 },
    );
    const readMs = await processorMs(() => {
      for (const part of ['**a', '[a](', '`', '- ', '> ', '_a ', '|', '~~a'])
        parseMarkdown(part.repeat(2_000));
    });
    expect(readMs).toBeLessThan(5_000);
  });
});

describe('a link with a part before @, which passes for the host', () => {
  test.each([
    'https://bank.example@attack.example/x',
    '<https://bank.example@attack.example/x>',
    '[Sign in](https://bank.example:pw@attack.example/x)',
    '[https://bank.example@attack.example/x](https://bank.example@attack.example/x)',
    'https:////bank.example@attack.example/x',
    'https://a@bank.example@attack.example/x',
  ])('%s leads to and shows the host alone', (text) => {
    expect(linksIn(text)).toEqual(['https://attack.example/x']);
    expect(JSON.stringify(parseMarkdown(text))).not.toContain('bank.example');
  });

  test('an @ in the path or query stays', () => {
    expect(linksIn('https://a.example/@ann?to=b@c.example')).toEqual([
      'https://a.example/@ann?to=b@c.example',
    ]);
  });
});
