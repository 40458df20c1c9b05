import { describe, expect, test } from 'vitest';
import { parsePart, render } from '../../../connectors/intercom/render.ts';
import type { Reply } from '../../../core/contract/outbound.ts';
import { plainReply } from '../../helpers/models/plain-reply.ts';
import { intercomAccount } from '../../helpers/platforms/intercom/account.ts';
import { readIntercomHtml } from '../../helpers/platforms/intercom/html.ts';

const account = intercomAccount();
const to = { lane: '1', address: { conversation: '1' } };
const parts = (more: Partial<Reply>, by = account) => render(plainReply(more), to, by).map(parsePart);
const comments = (text: string, more: Partial<Reply> = {}) =>
  parts({ text, ...more }).flatMap((part) => (part.kind === 'comment' ? [part] : []));
const settings = (changes: Partial<typeof account.settings>) =>
  intercomAccount({ settings: { ...account.settings, ...changes } });

describe('the markup', () => {
  test.each([
    ['**bold** _it_ ~~gone~~ <u>under</u>', '<p><b>bold</b> <i>it</i> <s>gone</s> <u>under</u></p>'],
    ['a `x < y` b', '<p>a <code>x &lt; y</code> b</p>'],
    ['[Help](https://a.example/?a=1&b=2)', '<p><a href="https://a.example/?a=1&amp;b=2">Help</a></p>'],
    ['[file](javascript:alert(1))', '<p>file</p>'],
    ['# Opening *hours*', '<p><b>Opening </b><i><b>hours</b></i></p>'],
    ['1 < 2 & <script>', '<p>1 &lt; 2 &amp; &lt;script&gt;</p>'],
    ['```ts\nlet a = "<b>";\n```', '<pre><code>let a = &quot;&lt;b&gt;&quot;;</code></pre>'],
    ['one\n\ntwo  \nthree', '<p>one</p><p>two<br>three</p>'],
    ['> wise\n> words\n\nend', '<blockquote><p>wise<br>words</p></blockquote><p>end</p>'],
    ['- a\n- b\n  - c\n\nend', '<p>• a<br>• b<br>&nbsp;&nbsp;• c</p><p>end</p>'],
  ])('%j', (markdown, html) => {
    expect(comments(markdown)[0]?.html).toBe(html);
    expect(readIntercomHtml(html)).not.toHaveProperty('fault');
  });

  test('plain text has links behind their texts', () => {
    expect(comments('**See** [the help](https://a.example/help)')[0]?.text).toBe(
      'See the help (https://a.example/help)',
    );
  });
});

test('an answer of usual length is one message with at most three sources as links', () => {
  const sources = ['Hours <1>', 'Prices', 'Third', 'Fourth'].map((title, index) => ({
    title,
    url: index === 1 ? null : `https://a.example/${index}`,
  }));
  const said = comments('A sentence of the answer. '.repeat(200), { sources });
  expect(said).toHaveLength(1);
  expect(said[0]?.html).toContain(
    '<p>🔗 <a href="https://a.example/0">Hours &lt;1&gt;</a><br>📄 Prices<br>🔗 <a href="https://a.example/2">Third</a></p>',
  );
});

test('an empty reply becomes an ellipsis', () => {
  expect(parts({ text: ' \n' })).toEqual([{ kind: 'comment', html: '<p>…</p>', text: '…' }]);
});

describe('the button for a person', () => {
  const button = (more: Partial<Reply>, by = account) =>
    parts(more, by).flatMap((part) => (part.kind === 'buttons' ? part.options.map(({ text }) => text) : []));

  test('follows the answer in the visitor’s language if a person is offered', () => {
    const offers = ['feedback', 'human'] as const;
    expect(parts({ offers }).map(({ kind }) => kind)).toEqual(['comment', 'buttons']);
    expect(button({ offers, language: 'de' })).toEqual(['Mit einem Menschen sprechen']);
    expect(button({ offers })).toEqual(['Talk to a person']);
    expect(button({ offers: ['feedback'] })).toEqual([]);
  });

  test('stands beside the one that an unsure answer helped', () => {
    expect(button({ offers: ['helped', 'human'] })).toEqual(['That helped', 'Talk to a person']);
  });

  test('has the configured label, or is absent if the setting buttons is false', () => {
    expect(button({ offers: ['human'], language: 'de' }, settings({ person_button: 'Get Andy' }))).toEqual([
      'Get Andy',
    ]);
    expect(button({ offers: ['human'] }, settings({ buttons: false }))).toEqual([]);
  });
});

describe('a handover', () => {
  const handed = (by = account) => parts({ handover: true }, by).slice(1);

  test.each([
    ['unassigned', { kind: 'assignment', type: 'admin', id: '0' }],
    ['team:8001', { kind: 'assignment', type: 'team', id: '8001' }],
    ['admin:7002', { kind: 'assignment', type: 'admin', id: '7002' }],
  ])('assigns the conversation to %s, with a note', (handover_to, assignment) => {
    const [note, last] = handed(settings({ handover_to }));
    expect(note).toMatchObject({ kind: 'note', html: expect.stringContaining('Handed over by the bot') });
    expect(last).toEqual(assignment);
  });

  test('has a note with questions and answers as truncated text', () => {
    const asked = Array.from({ length: 7 }, (_, index) => ({
      question: `Question ${index}`,
      answer: index === 3 ? null : `**Answer** ${index}\n\n| a | b |\n| - | - |\n| 1 | 2 |`,
    }));
    const last = { question: `<b>Person!</b>\n${'x'.repeat(400)}`, answer: null };
    const recap = { summary: 'He moved & wants his plants.', turns: [...asked, last] };
    const [note] = parts({ handover: true, recap }).slice(1);
    const html = note?.kind === 'note' ? note.html : '';
    expect(html).toContain('<p><b>Summary: </b>He moved &amp; wants his plants.</p>');
    expect(html).not.toContain('Question 2');
    expect(html).toContain(
      '<p><b>Asked: </b>Question 3</p><p><b>Asked: </b>Question 4<br><b>Answered: </b>Answer 4 ',
    );
    expect(html).toMatch(/<b>Asked: <\/b>&lt;b&gt;Person!&lt;\/b&gt; x{100,}…<\/p>$/);
    expect(html.replaceAll(/<\/?(p|b|br)>/g, '')).not.toContain('<');
  });

  test('is not repeated by an agent’s replies', () => {
    expect(parts({ handover: true, author: 'agent' }).map(({ kind }) => kind)).toEqual(['comment']);
  });

  test('has no note if the setting handover_note is false', () => {
    expect(handed(settings({ handover_note: false })).map(({ kind }) => kind)).toEqual(['assignment']);
  });
});
