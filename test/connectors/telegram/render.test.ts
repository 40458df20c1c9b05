import { describe, expect, test } from 'vitest';
import { parsePart, render } from '../../../connectors/telegram/render.ts';
import type { ConversationRef } from '../../../core/contract/account.ts';
import type { Reply } from '../../../core/contract/outbound.ts';
import { plainReply } from '../../helpers/models/plain-reply.ts';
import { telegramAccount } from '../../helpers/platforms/telegram/account.ts';
import { readTelegramHtml } from '../../helpers/platforms/telegram/html.ts';

const chat = (kind: string): ConversationRef => ({ lane: '5', address: { chat: 5, kind, topic: null } });
const say = (text: string, more: Partial<Reply> = {}, kind = 'private') =>
  render(plainReply({ text, ...more }), chat(kind), telegramAccount()).map(parsePart);
const htmlOf = (text: string) => say(text)[0]?.html;

describe('the markup', () => {
  test.each([
    ['**bold** _it_ ~~gone~~ <u>under</u>', '<b>bold</b> <i>it</i> <s>gone</s> <u>under</u>'],
    ['a `x < y` b', 'a <code>x &lt; y</code> b'],
    ['[Help](https://a.example/?a=1&b=2)', '<a href="https://a.example/?a=1&amp;b=2">Help</a>'],
    ['[me](tg://user?id=1) [file](javascript:alert(1))', 'me file'],
    ['# Opening *hours*', '<b>Opening </b><i><b>hours</b></i>'],
    ['1 < 2 & <script>', '1 &lt; 2 &amp; &lt;script&gt;'],
    [
      '```ts\nlet a = "<b>";\n```',
      '<pre><code class="language-ts">let a = &quot;&lt;b&gt;&quot;;</code></pre>',
    ],
    ['```\nplain\n```', '<pre>plain</pre>'],
    ['> wise\n> words\n\nend', '<blockquote>wise\nwords</blockquote>\n\nend'],
    ['- a\n- b\n  - c\n\nend', '• a\n• b\n  • c\n\nend'],
    ['3. a\n4. b', '3. a\n4. b'],
    ['- [x] done\n- [ ] open', '☑ done\n☐ open'],
    ['![a plan](https://a.example/p.png)', '<a href="https://a.example/p.png">a plan</a>'],
    ['**[`x`](https://a.example/)**', '<a href="https://a.example/"><b>x</b></a>'],
    ['one\n\n---\n\ntwo', 'one\n\n———\n\ntwo'],
  ])('%j', (markdown, html) => {
    expect(htmlOf(markdown)).toBe(html);
    expect(readTelegramHtml(html)).not.toHaveProperty('fault');
  });

  test('a narrow table is aligned in columns, whatever the width of its characters', () => {
    const table = '| Plan | Preis |\n|---|---|\n| Groß | 9 € |\n| 日本 | 12 € |';
    expect(htmlOf(table)).toBe('<pre>Plan | Preis\n-----+------\nGroß | 9 €\n日本 | 12 €</pre>');
  });

  test('a table that is wide or contains links becomes a line for each row', () => {
    const table = '| Plan | More |\n|---|---|\n| Basic | [page](https://a.example/) |\n| Big | none |';
    expect(htmlOf(table)).toBe(
      '• <b>Basic</b>; More: <a href="https://a.example/">page</a>\n• <b>Big</b>; More: none',
    );
  });

  test('plain text has links behind their texts', () => {
    const [part] = say('**See** [the help](https://a.example/help) or https://b.example/x');
    expect(part?.text).toBe('See the help (https://a.example/help) or https://b.example/x');
  });
});

test('at most three sources follow the answer, as links or, without an address, as titles', () => {
  const sources = ['Hours <1>', 'Prices', 'Third', 'Fourth'].map((title, index) => ({
    title,
    url: index === 1 ? null : `https://a.example/${index}`,
  }));
  expect(say('At nine.', { sources })[0]?.html).toBe(
    'At nine.\n\n🔗 <a href="https://a.example/0">Hours &lt;1&gt;</a>\n📄 Prices\n🔗 <a href="https://a.example/2">Third</a>',
  );
});

test('an empty reply becomes an ellipsis', () => {
  expect(say('  \n')).toEqual([{ html: '…', text: '…', replyTo: null, keyboard: [] }]);
});

describe('the replied message', () => {
  const replyTo = '5/41';

  test('is set on the first part in a group, and on no part in a private chat', () => {
    const long = 'A sentence of the answer. '.repeat(300);
    expect(say(long, { replyTo }, 'supergroup').map((part) => part.replyTo)).toEqual([41, null]);
    expect(say(long, { replyTo }).map((part) => part.replyTo)).toEqual([null, null]);
  });

  test('is not set for a message of the group before its upgrade', () => {
    expect(say('Hello', { replyTo: '-4/41' }, 'supergroup')[0]?.replyTo).toBeNull();
  });
});

describe('the buttons', () => {
  const offers = ['feedback', 'human'] as const;
  const wordsOf = (keyboard: readonly (readonly { text: string }[])[] = []) =>
    keyboard.map((row) => row.map(({ text }) => text));

  test('are below the last part, in the visitor’s language', () => {
    const long = 'A sentence of the answer. '.repeat(300);
    const parts = say(long, { offers, language: 'de' });
    expect(parts.map(({ keyboard }) => wordsOf(keyboard))).toEqual([
      [],
      [['👍', '👎'], ['Mit einem Menschen sprechen']],
    ]);
    expect(wordsOf(say('Hello', { offers: ['human'], language: 'xx' })[0]?.keyboard)).toEqual([
      ['Talk to a person'],
    ]);
  });

  test('are absent without offers, or if the setting buttons is false', () => {
    expect(say('Hello')[0]?.keyboard).toEqual([]);
    const quiet = telegramAccount({ settings: { enabled: true, buttons: false } });
    const [part] = render(plainReply({ offers }), chat('private'), quiet);
    expect(part?.content).not.toHaveProperty('keyboard');
  });

  test('rate an unsure answer as one that helped, or call a person', () => {
    const [part] = say('Hello', { offers: ['helped', 'human'] });
    expect(part?.keyboard).toEqual([
      [{ text: 'That helped', callback_data: 'feedback:up' }],
      [{ text: 'Talk to a person', callback_data: 'human' }],
    ]);
  });

  test('have callback data of at most 64 bytes', () => {
    for (const { callback_data } of say('Hello', { offers }).flatMap(({ keyboard }) => keyboard.flat()))
      expect(Buffer.byteLength(callback_data)).toBeLessThanOrEqual(64);
  });
});
