import { describe, expect, test } from 'vitest';
import { loadHtml } from '../../../../core/knowledge/loaders/html/load-html.ts';
import { parseHtml } from '../../../../core/knowledge/loaders/html/parse-html.ts';
import { DEFAULT_LOADING_LIMITS } from '../../../../core/knowledge/loaders/loader.ts';
import { keepMainContent, setLanguage } from '../../../../core/sources/website/main-content.ts';
import { pageSamples } from '../../../helpers/sources/page-samples.ts';

function read(html: string) {
  const { blocks, title } = loadHtml(html, DEFAULT_LOADING_LIMITS);
  const text = blocks.map((block) => [...block.headings, block.text].join('\n')).join('\n');
  return {
    text,
    title,
    headings: blocks.flatMap((block) => block.headings),
    kinds: blocks.map(({ kind }) => kind),
  };
}

const cut = (html: string) => keepMainContent(parseHtml(html)).html;

describe('the content of a page', () => {
  test.each(pageSamples)(
    '$name: texts, headings, lists, tables and code stay',
    ({ html, wanted, headings, kinds }) => {
      const document = read(cut(html));
      expect(wanted.filter((text) => !document.text.includes(text))).toEqual([]);
      expect(document.headings).toEqual(expect.arrayContaining([...headings]));
      expect(document.kinds).toEqual(expect.arrayContaining([...kinds]));
    },
  );

  test('of the parts around it, one of 37 is left; without this step 25 are', () => {
    const left = (change: (html: string) => string) =>
      pageSamples.flatMap(({ html, unwanted }) => {
        const { text } = read(change(html));
        return unwanted.filter((part) => text.includes(part));
      });
    expect(left(cut)).toEqual(['March 2025']);
    expect(left((html) => html)).toHaveLength(25);
  });

  test('another menu, footer, token or session changes nothing', () => {
    const page = (part: string) =>
      `<html lang="de"><head><title>Titel</title><meta name="csrf" content="${part}"></head><body data-v="${part}"><nav>${part}</nav><main><h1>Titel</h1>
<p>Ein <a href="/a?sid=${part}">Satz</a>.</p></main><div>${part}</div><footer>${part}</footer><script>${part}</script><!-- ${part} --></body></html>`;
    expect(cut(page('one'))).toBe(cut(page('two')));
    expect(cut(page('one'))).toContain('<html lang="de"><head><title>Titel</title>');
  });

  test('a page without a language gets that of its header, and a page of links alone stays', () => {
    const page = parseHtml('<p>Texte.</p>');
    setLanguage(page, 'fr');
    expect(keepMainContent(page).html).toContain('<html lang="fr">');
    expect(cut('<div><a href="/a">One</a> <a href="/b">Two</a></div>')).toContain('Two');
    expect(cut('<nav><a href="/a">Only a menu</a></nav>')).toContain('Only a menu');
  });
});
