import { describe, expect, test } from 'vitest';
import { loadHtml } from '../../../../../core/knowledge/loaders/html/load-html.ts';
import { parseHtml } from '../../../../../core/knowledge/loaders/html/parse-html.ts';
import { DEFAULT_LOADING_LIMITS } from '../../../../../core/knowledge/loaders/loader.ts';
import { keepMainContent } from '../../../../../core/sources/website/main-content.ts';

/** The lines of a page with structured data, as the website source and then the loader read it. */
function lines(data: unknown, body = '<p>Text.</p>', language = 'en'): readonly string[] {
  const text = typeof data === 'string' ? data : JSON.stringify(data).replaceAll('</', '<\\/');
  const page = `<html lang="${language}"><head><script type="application/ld+json">${text}</script></head><body><main><h1>T</h1>${body}</main></body></html>`;
  const read = (html: string) =>
    loadHtml(html, DEFAULT_LOADING_LIMITS).blocks.map(({ headings, text }) =>
      [...headings, text].join(' > '),
    );
  const kept = read(keepMainContent(parseHtml(page)).html);
  expect(kept).toEqual(read(page));
  return kept;
}

const faq = (answer: string) => ({
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': ['FAQPage'],
      mainEntity: [
        { '@type': 'Question', name: 'Is it free?', acceptedAnswer: { '@type': 'Answer', text: answer } },
      ],
    },
  ],
});
const product = (offer: object) => ({ '@type': 'Product', name: 'Vice', offers: offer });

describe('structured data', () => {
  test('questions become sections, with the HTML of their answers read as such', () => {
    expect(lines(faq('<p>Yes, for <b>two</b> users.</p><script>x</script>'))).toEqual([
      'Text.',
      'Is it free? > Yes, for two users.',
    ]);
  });

  test('an answer that the page shows is not added', () => {
    expect(lines(faq('Yes, for two users.'), '<p>Yes, for two  users.</p>')).toHaveLength(1);
  });

  test('price and availability become text in the language of the page', () => {
    const offer = { price: 84.5, priceCurrency: 'GBP', availability: 'https://schema.org/InStock' };
    expect(lines(product([offer]))).toEqual([
      'Text.',
      'Vice > Price: 84.5 GBP',
      'Vice > Availability: in stock',
    ]);
    expect(lines(product(offer), '<p>Text.</p>', 'de-AT').slice(1)).toEqual([
      'Vice > Preis: 84.5 GBP',
      'Vice > Verfügbarkeit: auf Lager',
    ]);
  });

  test.each(['£84.50', '84,50 €'])('a price that the page shows as %s is not added', (price) => {
    expect(lines(product({ price: '84.5' }), `<p>${price}</p>`)).toEqual([price]);
  });

  test('a range of prices is one line', () => {
    expect(lines(product({ lowPrice: 5, highPrice: 9, priceCurrency: 'EUR' }))[1]).toBe(
      'Vice > Price: 5 – 9 EUR',
    );
  });

  test.each([
    '{',
    '[[[[[[[[[[{"@type":"Question"}]]]]]]]]]]',
    'null',
    '{"@type":"Question"}',
    '{"@type":"Product","offers":3}',
  ])('damaged or empty data adds nothing: %s', (data) => {
    expect(lines(data)).toEqual(['Text.']);
  });
});
