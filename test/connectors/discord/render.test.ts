import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { discord } from '../../../connectors/discord/discord.ts';
import { renderMarkdown } from '../../../connectors/discord/render.ts';
import type { Reply } from '../../../core/contract/outbound.ts';
import { plainReply } from '../../helpers/models/plain-reply.ts';
import { readDiscordMarkdown } from '../../helpers/platforms/discord/markdown.ts';
import { longestReply } from '../contract/longest-reply.ts';
import { fixtureAccount } from './contract-hooks.ts';

const thread = {
  lane: '920000000000000001',
  address: { kind: 'thread', channel: '920000000000000001', interaction: null },
};
const channel = {
  lane: '910000000000000001:500000000000000001',
  address: {
    kind: 'channel',
    channel: '910000000000000001',
    user: '500000000000000001',
    message: '1350000000000000001',
    interaction: null,
  },
};
const parts = (reply: Partial<Reply>, to: typeof thread | typeof channel = thread) =>
  discord
    .open(fixtureAccount)
    .render(plainReply(reply), to)
    .map(({ content }) => Object(content));
const text = (markdown: string) => parts({ text: markdown })[0].text;
const paragraph = (spans: { text: string; style: object }[]) =>
  renderMarkdown([{ kind: 'text', heading: null, prefix: '', quoted: false, tight: false, spans }]);

describe("Discord's own Markdown", () => {
  test.each([
    ['**bold** and *italic* and ~~gone~~', '**bold** and *italic* and ~~gone~~'],
    ['***both***', '***both***'],
    ['# Title\n\ntext', '# Title\n\ntext'],
    ['#### Small title', '### Small title'],
    ['- one\n- two\n  - inner', '- one\n- two\n  - inner'],
    ['1. one\n2. two', '1. one\n2. two'],
    ['> said\n\nanswered', '> said\n\nanswered'],
    ['[help](https://a.example/x)', '[help](<https://a.example/x>)'],
    ['<https://a.example/x_y_z>', '<https://a.example/x_y_z>'],
    ['[https://b.example](https://a.example/x)', 'https\\://b.example (<https://a.example/x>)'],
    ['[a [1] b](https://a.example/x)', 'a \\[1\\] b (<https://a.example/x>)'],
    ['`code` and ``co`de``', '`code` and `` co`de ``'],
    ['```ts\nconst a = 1;\n```', '```ts\nconst a = 1;\n```'],
  ])('renders %j as %j', (markdown, written) => {
    expect(text(markdown)).toBe(written);
  });

  test.each([
    '@everyone and @here',
    '<@500000000000000001> <@&710000000000000001> <#910000000000000001>',
    '<t:1790000000:R> <:rose:1350000000000000001> </ask:1>',
    '||hidden|| snake_case_name 2*3*4 ~~~',
    'price_list_ and _this',
  ])('%j mentions, hides and formats nothing', (said) => {
    const shown = readDiscordMarkdown(paragraph([{ text: said, style: {} }]));
    expect(shown).toEqual({ text: said, links: [], faults: [] });
  });

  test.each(['# no title', '> no quotation', '- no list', '1. no list', '-# no small print', '>>> all'])(
    '%j at the start of a line stays text',
    (said) => {
      const written = paragraph([{ text: `first\n${said}`, style: {} }]);
      expect(readDiscordMarkdown(written).text).toBe(`first\n${said}`);
    },
  );

  test('a fence within code does not end the code block', () => {
    const [part] = parts({ text: '````\nbefore\n```\nafter\n````' });
    expect(readDiscordMarkdown(part.text)).toMatchObject({ faults: [], text: 'before\n```\nafter' });
  });

  test('a narrow table becomes a code block, a wide one a list', () => {
    expect(text('| a | b |\n| - | - |\n| 1 | 2 |')).toBe('```\na | b\n--+--\n1 | 2\n```');
    const wide = `| a | b |\n| - | - |\n| ${'x'.repeat(50)} | 2 |`;
    expect(text(wide)).toBe(`- **${'x'.repeat(50)}**; b: 2`);
  });

  test('a link without text shows its address', () => {
    const written = paragraph([
      { text: ' ', style: { link: 'https://a.example/b' } },
      { text: ')**', style: {} },
    ]);
    expect(readDiscordMarkdown(written)).toMatchObject({
      text: 'https://a.example/b)**',
      links: ['https://a.example/b'],
    });
  });

  test('any combination of styles keeps the text and the links', () => {
    const style = fc.record(
      {
        bold: fc.constant(true),
        italic: fc.constant(true),
        underline: fc.constant(true),
        strike: fc.constant(true),
        code: fc.constant(true),
        link: fc.constant('https://a.example/b'),
      },
      { requiredKeys: [] },
    );
    const letters = fc.oneof(
      fc.constantFrom('*', '_', '~', '|', '[', ']', '(', ')', '<', '>', '\\', '`', '#', '-', '@', ' ', '1.'),
      fc.constantFrom('**', '__', '~~', '||', '@everyone', '<@5>', '```', ' a ', 'word', 'é', '👩‍👩‍👧‍👦'),
    );
    const span = fc.record({
      text: fc.array(letters, { minLength: 1, maxLength: 6 }).map((all) => all.join('')),
      style,
    });
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 5 }), (all) => {
        // A link without text shows its address, which would count as text here.
        const spans = all.map((one) => (one.text.trim() === '' ? { ...one, style: {} } : one));
        const shown = readDiscordMarkdown(paragraph(spans));
        expect(shown.faults).toEqual([]);
        const withoutSpace = (all: string) => all.replaceAll(/\s/g, '');
        const wanted = withoutSpace(spans.map((one) => one.text).join(''));
        const seen = withoutSpace(shown.text).replaceAll('(https://a.example/b)', '');
        expect(seen).toBe(wanted);
      }),
      { numRuns: Number(process.env.PARLEY_RUNS ?? 1_000) },
    );
  });
});

describe('an answer of 9,000 characters with a table, a code block and ten links', () => {
  const all = parts(longestReply);
  const shown = all.map((part) => readDiscordMarkdown(part.text));

  test('every part has at most 2,000 characters and is well-formed', () => {
    expect(longestReply.text.length).toBeGreaterThanOrEqual(9_000);
    expect(Math.max(...all.map((part) => part.text.length))).toBeLessThanOrEqual(2_000);
    expect(shown.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test('keeps every word, link, table line and code line in order', () => {
    const seen = shown.map((part) => part.text).join('\n');
    const sentences = Array.from(
      { length: 48 },
      (_, index) => `Sentence ${index} of the answer tells what matters`,
    );
    const rows = Array.from({ length: 12 }, (_, index) => `teams of ${index}`);
    const code = Array.from(
      { length: 60 },
      (_, index) => `const value${index} = other${index} < ${index} && "text";`,
    );
    let from = 0;
    for (const piece of [...sentences, ...rows, ...code, 'The end.']) {
      const at = seen.indexOf(piece, from);
      expect(at, piece).toBeGreaterThanOrEqual(from);
      from = at;
    }
    const links = Array.from({ length: 10 }, (_, index) => `https://help.example/page-${index}?a=1&b=2`);
    const sources = [0, 1, 2].map((index) => `https://help.example/${index}`);
    expect(shown.flatMap((part) => part.links)).toEqual([...links, ...sources]);
  });

  test('only the last part has buttons', () => {
    expect(all.map(({ offers }) => offers)).toEqual([
      ...Array(all.length - 1).fill([]),
      ['feedback', 'human'],
    ]);
  });
});

describe('parts of an answer', () => {
  test('the first part replies to the question in a channel, but not in a thread', () => {
    const answer = { text: 'a. '.repeat(1_000), replyTo: '910000000000000001/1350000000000000009' };
    const replies = parts(answer, channel).map(({ replyTo }) => replyTo);
    expect(replies).toEqual(['1350000000000000009', ...Array(replies.length - 1).fill(null)]);
    expect(parts(answer).map(({ replyTo }) => replyTo)).toEqual(Array(replies.length).fill(null));
  });

  test('the setting buttons removes the buttons', () => {
    const plain = { ...fixtureAccount, settings: { ...fixtureAccount.settings, buttons: false } };
    const [part] = discord.open(plain).render(plainReply({ offers: ['feedback', 'human'] }), thread);
    expect(part?.content).toMatchObject({ offers: [] });
  });

  test('a link longer than a message becomes text', () => {
    const [part, ...others] = parts({ text: `[a](https://a.example/${'x'.repeat(1_900)})` });
    expect([part.text, others]).toEqual(['a', []]);
  });

  test('an empty reply becomes an ellipsis', () => {
    expect(text('')).toBe('…');
  });
});
