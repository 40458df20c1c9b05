import { describe, expect, test } from 'vitest';
import { render } from '../../../connectors/email/render.ts';
import { emailAccount } from '../../helpers/platforms/email/account.ts';

const to = {
  lane: 'a'.repeat(20),
  address: { to: 'anna@lind.example', name: 'Anna', subject: 'x', references: [], quote: null },
};
const reply = { author: 'bot', sources: [], replyTo: null, offers: [], handover: false } as const;
const parts = (text: string) =>
  render({ ...reply, text }, to, emailAccount()).map(({ content }) => ({
    html: String(Object(content).html).replaceAll(/ (style|cellpadding|cellspacing|border)="[^"]*"/g, ''),
    text: String(Object(content).text),
  }));
const mail = (text: string) => parts(text)[0] ?? { html: '', text: '' };
const body = (text: string) => /<body><div>([\s\S]*)<\/div><\/body>/.exec(mail(text).html)?.[1];

const prices = '| Country | Price |\n|---|--:|\n| <b>A</b> & B | 3 € |\n| C | [4](https://a.example) |';

describe('a table', () => {
  test('is a table in HTML and aligned text in plain text', () => {
    const narrow = '| Country | Price |\n|---|--:|\n| <b>A</b> & B | 3 € |';
    expect(body(narrow)).toBe(
      '<div><table><thead><tr><th scope="col">Country</th><th scope="col">Price</th></tr></thead>' +
        '<tbody><tr><td>&lt;b&gt;A&lt;/b&gt; &amp; B</td><td>3 €</td></tr></tbody></table></div>',
    );
    expect(mail(narrow).text).toBe('Country      | Price\n-------------+------\n<b>A</b> & B | 3 €');
  });

  test('is a table in HTML even if its links or its width make it lines in plain text', () => {
    expect(body(prices)?.match(/<t[dh][ >]/g)).toHaveLength(6);
    expect(body(prices)).toContain('<td><a href="https://a.example/">4</a></td>');
    expect(body(prices)).not.toContain('•');
    expect(mail(prices).text).toContain('• C; Price: 4 (https://a.example/)');
  });

  test('keeps the alignment of its columns in style attributes', () => {
    const [part] = render({ ...reply, text: prices }, to, emailAccount());
    expect(String(Object(part?.content).html)).toMatch(/<th scope="col" style="[^"]*text-align: right/);
  });

  test('repeats its header in the next mail and contains every row once', () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => `| row ${index} | ${'x'.repeat(80)} |`);
    const mails = parts(['| a | b |', '|---|---|', ...rows].join('\n'));
    expect(mails.length).toBeGreaterThan(1);
    for (const { html } of mails) expect(html.match(/<th /g)).toHaveLength(2);
    const indexes = mails.flatMap(({ html }) =>
      [...html.matchAll(/<td>row (\d+)<\/td>/g)].map(([, row]) => row),
    );
    expect(indexes).toEqual(rows.map((_, index) => String(index)));
  });

  test('stays separate from a table that follows', () => {
    expect(body(`${prices}\n\n${prices}`)?.match(/<table/g)).toHaveLength(2);
  });
});

describe('a list', () => {
  test('is an ordered list with nested lists if it has numbers', () => {
    expect(body('1. one\n2. two\n   - inner\n   - more\n\n   rest\n3. three')).toBe(
      '<ol><li>one</li><li>two<ul><li>inner</li><li>more</li></ul><p>rest</p></li><li>three</li></ol>',
    );
  });

  test('keeps its numbers if it starts elsewhere or continues after code', () => {
    expect(body('3. three\n4. four')).toBe('<ol start="3"><li>three</li><li>four</li></ol>');
    expect(body('1. one\n\n```\ncode\n```\n\n2. two')).toBe(
      '<ol><li>one</li></ol><pre><code>code</code></pre><ol start="2"><li>two</li></ol>',
    );
  });

  test('with bullets ends before another element', () => {
    expect(body('- a\n- b\n\nText.\n\n1. c')).toBe(
      '<ul><li>a</li><li>b</li></ul><p>Text.</p><ol><li>c</li></ol>',
    );
  });

  test('with tasks shows which are done', () => {
    expect(body('- [x] paid\n- [ ] sent')).toBe('<ul><li>☑ paid</li><li>☐ sent</li></ul>');
  });

  test('stays within its quotation', () => {
    expect(body('> 1. a\n> 2. b\n\nText.')).toBe(
      '<blockquote><ol><li>a</li><li>b</li></ol></blockquote><p>Text.</p>',
    );
  });

  test('is text in plain text', () => {
    expect(mail('1. one\n2. two').text).toBe('1. one\n2. two');
  });
});
