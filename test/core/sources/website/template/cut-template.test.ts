import { serialize } from 'parse5';
import { describe, expect, test } from 'vitest';
import { parseHtml } from '../../../../../core/knowledge/loaders/html/parse-html.ts';
import { cutTemplate, NO_TEMPLATE } from '../../../../../core/sources/website/template/cut-template.ts';
import { readPageBlocks } from '../../../../../core/sources/website/template/page-blocks.ts';

const bodyOf = (html: string) => parseHtml(`<!doctype html><body>${html}</body>`);

/** Cuts the blocks that a page shares with another page of its site. */
function cut(html: string, other: string, options: Partial<Parameters<typeof cutTemplate>[1]> = {}) {
  const others = new Set(readPageBlocks(bodyOf(other)).map(({ hash }) => hash));
  const page = bodyOf(html);
  const result = cutTemplate(page, { ...NO_TEMPLATE, template: [...others], ...options });
  const text = serialize(page)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return { ...result, text };
}

const frame = (content: string) =>
  `<div class="a"><div>Acme</div><ul><li><a href="/x">Shop</a></li><li><a>Help</a></li></ul></div>${content}<div><p>Call us on weekdays, we are glad to help you.</p></div>`;

describe('cutting the template', () => {
  test('removes what recurs, at the edges and between the content', () => {
    const page = (own: string) =>
      frame(`<h1>${own}</h1><p>About ${own}.</p><div>Five minutes to read</div><p>More of ${own}.</p>`);
    expect(cut(page('lathes'), page('cranes')).text).toBe('lathes About lathes. More of lathes.');
  });

  test('the same text in another place of the page is another block', () => {
    const other = frame('<h1>Other</h1><p>Text.</p>');
    expect(cut(frame('<h1>Help</h1><p>Own words.</p>'), other).text).toBe('Help Own words.');
  });

  test('a heading stays with text of the page under it, and goes without', () => {
    const page = (own: string) =>
      `<h1>${own}</h1><h2>Usage</h2><p>Use ${own}.</p><h2>Related articles</h2><ul><li><a>Link of ${own}</a></li></ul><h2>Newsletter</h2><p>Once a month.</p>`;
    expect(cut(page('lathes'), page('cranes')).text).toBe('lathes Usage Use lathes.');
  });

  test('a label stays with its value', () => {
    const page = (price: string) =>
      `<h1>Vice ${price}</h1><div><div>Price</div><div>${price}</div></div><dl><dt>Weight</dt><dd>${price} kg</dd></dl>`;
    expect(cut(page('40'), page('50')).text).toBe('Vice 40 Price 40 Weight 40 kg');
  });

  test('a table stays whole: its header recurs', () => {
    const page = (price: string) =>
      `<h1>${price}</h1><table><tr><th>Plan</th><th>Price</th></tr><tr><td>Oak</td><td>${price}</td></tr></table>`;
    expect(cut(page('40'), page('50')).text).toBe('40 Plan Price Oak 40');
  });

  test('two numbers make two texts', () => {
    const page = (price: string) => `<h1>Fees</h1><p>The fee for each further month is ${price} euros.</p>`;
    const [one, other] = [
      cutTemplate(bodyOf(page('40')), NO_TEMPLATE),
      cutTemplate(bodyOf(page('50')), NO_TEMPLATE),
    ];
    expect(one.textHash).not.toBe(other.textHash);
  });

  test('frames around equal content do not matter to the text', () => {
    const one = cutTemplate(bodyOf('<div><p>Same  words.</p></div>'), NO_TEMPLATE);
    expect(cutTemplate(bodyOf('<section><b></b><p>Same words.</p></section>'), NO_TEMPLATE).textHash).toBe(
      one.textHash,
    );
  });

  test('the start page keeps sentences of the site, but not its menus', () => {
    const { text } = cut(frame('<h1>Acme</h1><p>Welcome.</p>'), frame('<h1>Other</h1>'), {
      keepsProse: true,
    });
    expect(text).toBe('Acme Welcome. Call us on weekdays, we are glad to help you.');
  });

  test('one page keeps what all say between their own texts, and in marked content also around them', () => {
    const page = (own: string) =>
      `<div>Menu</div><h1>${own}</h1><p>Runs ${own}.</p><h2>Exit status</h2><p>101: it failed.</p><h2>Example</h2><pre>${own}</pre><div>End</div>`;
    const [html, other] = [page('build'), page('check')];
    const kept = readPageBlocks(bodyOf(other)).map(({ hash }) => hash);
    expect(cut(html, other).text).toBe('build Runs build. Example build');
    expect(cut(html, other, { kept }).text).toBe(
      'build Runs build. Exit status 101: it failed. Example build',
    );
    expect(cut(html, other, { kept, isContent: true }).text).toContain('Menu build');
    expect(cut(html, other, { kept }).textHash).toBe(cut(html, other).textHash);
  });

  test('a page of contacts keeps the only text that it has, beside its heading', () => {
    const contact = '<p>Call us on weekdays, we are glad to help you.</p>';
    const result = cut(
      `<ul><li>Menu</li></ul><main><h1>Contact</h1>${contact}</main>`,
      `<ul><li>Menu</li></ul><main><h1>Other</h1>${contact}</main>`,
    );
    expect(result).toMatchObject({
      text: 'Contact Call us on weekdays, we are glad to help you.',
      isEmpty: false,
    });
  });

  test.each(['', '<div id="app">Loading…</div>'])('a shell is empty: %s', (content) => {
    expect(cut(frame(content), frame('<h1>Other</h1><p>Text.</p>')).isEmpty).toBe(true);
  });

  test.each([
    frame('<h1>Closed</h1><p>Today.</p>'),
    frame('<p>We moved to the other side of the river.</p>'),
    '<p>Short.</p>',
  ])('a short page is not: %s', (html) => {
    expect(cut(html, frame('<h1>Other</h1><p>Text.</p>')).isEmpty).toBe(false);
  });

  test('of a page with thousands of blocks, 300 are counted', () => {
    const page = bodyOf(Array.from({ length: 5_000 }, (_, place) => `<p>Row ${place}</p>`).join(''));
    expect(cutTemplate(page, NO_TEMPLATE).blocks).toHaveLength(300);
  });
});
