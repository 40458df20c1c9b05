import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, test } from 'vitest';
import { deliver } from '../../../connectors/slack/deliver.ts';
import { FEEDBACK_ACTION } from '../../../connectors/slack/identifiers.ts';
import { messageContents, parsePart, render, renderSlackMarkdown } from '../../../connectors/slack/render.ts';
import { plainReply } from '../../helpers/models/plain-reply.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { slackAccount, slackSettings } from '../../helpers/platforms/slack/account.ts';
import { shownIn } from '../../helpers/platforms/slack/messages.ts';
import { openSlackStandIn } from '../../helpers/platforms/slack/stand-in.ts';
import { longestReply } from '../contract/longest-reply.ts';
import { hooks } from './contract-hooks.ts';

const to = hooks.conversation;
const markdownsOf = (text: string) =>
  render(plainReply({ text }), to).map((part) => parsePart(part).markdown);

function all(node: Nodes, type: Nodes['type']): readonly Nodes[] {
  const inside = 'children' in node ? node.children.flatMap((child) => all(child, type)) : [];
  return node.type === type ? [node, ...inside] : inside;
}

describe('an answer of 9,000 characters with a table, a code block and ten links', async () => {
  const peer = await openSlackStandIn();
  const account = slackAccount({ settings: slackSettings({ api_base_url: peer.url }) });
  peer.channels.set('C0HELP001', 'open');
  expect(longestReply.text).toHaveLength(9_000);
  for (const part of render(longestReply, to)) await deliver(part, to, account, connectorTools());
  const shown = peer.messages.map(shownIn).join('\n');
  const read = fromMarkdown(shown);

  test('is one message within Slack’s limits, which the stand-in enforces', () => {
    expect(peer.messages).toHaveLength(1);
    expect(peer.calls.map(({ method }) => method)).toEqual(['chat.postMessage']);
    expect(peer.messages[0]?.blocks.map(({ type }) => type)).toEqual([
      'markdown',
      'context',
      'context_actions',
      'actions',
    ]);
  });

  test('keeps every sentence, link and line of code unchanged', () => {
    for (const index of Array.from({ length: 48 }).keys())
      expect(shown).toContain(`Sentence ${index} of the answer`);
    expect(shown).toContain('The end.');
    const links = all(read, 'link').flatMap((node) => (node.type === 'link' ? [node.url] : []));
    expect(links).toEqual(
      Array.from({ length: 10 }, (_, index) => `https://help.example/page-${index}?a=1&b=2`),
    );
    const code = all(read, 'code').flatMap((node) => (node.type === 'code' ? [node] : []));
    expect(code.find(({ lang }) => lang === 'typescript')?.value.split('\n')).toHaveLength(60);
  });

  test('keeps every cell of the table, in columns', () => {
    const table = all(read, 'code').flatMap((node) =>
      node.type === 'code' && node.lang !== 'typescript' ? [node.value] : [],
    );
    expect(table).toHaveLength(1);
    for (const index of Array.from({ length: 12 }).keys()) {
      expect(table[0]).toMatch(new RegExp(`^Plan ${index} +\\| ${index},00 € +\\| teams of ${index}$`, 'm'));
    }
  });
});

describe('Markdown for Slack', () => {
  test('is unchanged if it contains nothing that Slack renders differently', () => {
    const text = '# A\n\n**b** _c_ ~~d~~ `e|f`\n\n1. one\n2. two\n\n> quoted\n\n```ts\nconst a = 1 < 2;\n```';
    expect(markdownsOf(text)).toEqual([text]);
  });

  test.each([
    [
      '<!channel> <@U1> <#C1> <!subteam^S1|@all>',
      '<\u2060!channel> <\u2060@U1> <\u2060#C1> <\u2060!subteam^S1|@all>',
    ],
    [
      '[a](https://a.example/x|y) https://b.example/?q=a|b',
      '[a](https://a.example/x%7Cy) https://b.example/?q=a%7Cb',
    ],
    ['a | b', 'a | b'],
    [
      '[x](javascript:alert(1)) [a](tg://user?id=1)',
      '[x](javascript\u2060:alert(1)) [a](tg\u2060://user?id=1)',
    ],
    ['[mail](mailto:a@b.example) `std::map`', '[mail](mailto:a@b.example) `std::map`'],
    ['1 < 2 and a<b', '1 < 2 and a<b'],
  ])('%s calls nobody, and leads where it should', (text, expected) => {
    expect(renderSlackMarkdown(text)).toBe(expected);
  });

  test('a wide table becomes a list with the names of its columns', () => {
    const cell = 'a long cell of a table that is wider than a window';
    const text = `| Plan | What it has |\n| --- | --- |\n| **Basic** | ${cell} |\n| Full | [${cell}](https://a.example) |`;
    expect(markdownsOf(text)).toEqual([
      `- **Basic**; What it has: ${cell}\n- **Full**; What it has: [${cell}](https://a.example/)`,
    ]);
  });

  test('a text longer than a message is split between lines, never within a link', () => {
    const code = Array.from(
      { length: 500 },
      (_, index) => `const value${index} = "a line of some length";`,
    ).join('\n');
    const text = `Before.\n\n\`\`\`ts\n${code}\n\`\`\`\n\n${'[a link](https://a.example/with/a/path) and words. '.repeat(100)}`;
    const parts = markdownsOf(text);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(12_000);
      expect((part.match(/```/g) ?? []).length % 2).toBe(0);
    }
    const lines = parts.flatMap((part) =>
      all(fromMarkdown(part), 'code').flatMap((node) => (node.type === 'code' ? node.value.split('\n') : [])),
    );
    expect(lines.join('\n')).toBe(code);
    const links = parts.flatMap((part) => all(fromMarkdown(part), 'link'));
    expect(links).toHaveLength(100);
  });

  test('only the last part has sources and buttons', () => {
    const parts = render({ ...longestReply, text: 'A sentence. '.repeat(1_500) }, to).map(parsePart);
    expect(parts.map(({ sources, offers }) => [sources.length, offers.length])).toEqual([
      [0, 0],
      [3, 2],
    ]);
  });

  test('an unsure answer has the button that it helped, which rates it, and one for a person', () => {
    const [part] = render({ ...longestReply, text: 'Yes.', offers: ['helped', 'human'] }, to).map(parsePart);
    const [first] = part === undefined ? [] : messageContents(part);
    expect(first?.blocks?.at(-1)).toMatchObject({
      type: 'actions',
      elements: [
        { text: { text: 'That helped' }, action_id: `${FEEDBACK_ACTION}:up`, value: 'up' },
        { text: { text: 'Talk to a person' } },
      ],
    });
  });

  test.each(['', '  ', '[a]: https://a.example'])('an empty text becomes an ellipsis: %j', (text) => {
    expect(markdownsOf(text)).toEqual(['…']);
  });
});
