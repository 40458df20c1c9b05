import { describe, expect, test } from 'vitest';
import { loadHtml } from '../../../../../core/knowledge/loaders/html/load-html.ts';
import { parseHtml } from '../../../../../core/knowledge/loaders/html/parse-html.ts';
import { DEFAULT_LOADING_LIMITS } from '../../../../../core/knowledge/loaders/loader.ts';
import { keepMainContent } from '../../../../../core/sources/website/main-content.ts';
import { packTree, unpackTree } from '../../../../../core/sources/website/tree/page-tree.ts';
import { pageSamples } from '../../../../helpers/sources/page-samples.ts';

const plain = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

/** The text that the loader reads of a cut page. */
function read(html: string): string {
  const { title, blocks } = loadHtml(html, DEFAULT_LOADING_LIMITS);
  return plain(
    [title ?? '', ...blocks]
      .flatMap((part) => (typeof part === 'string' ? [part] : [...part.headings, part.text]))
      .join('\n'),
  );
}

function stored(html: string) {
  const packed = packTree(parseHtml(html));
  if (packed === null) throw new TypeError('the page is too large');
  return packed;
}

const cut = (html: string, options: Parameters<typeof keepMainContent>[1] = {}) =>
  keepMainContent(unpackTree(stored(html).bytes), { hasLedger: true, ...options });

describe('a stored page', () => {
  test.each(pageSamples)('$name: is cut as it was when it was fetched', ({ html }) => {
    const { ledger: _, ...fetched } = keepMainContent(parseHtml(html));
    const { ledger: __, ...again } = cut(html);
    expect(again).toEqual(fetched);
  });

  test.each(pageSamples)('$name: kept blocks are read, and each cut one says why', ({ html }) => {
    const { html: kept, ledger } = cut(html);
    const text = read(kept);
    const lost = ledger.filter(({ reason, kind, text: own }) => {
      const first = plain(own).split(' ').slice(0, 3).join(' ');
      return reason === null && kind !== 'table' && !text.includes(first);
    });
    expect(lost.map((block) => block.text)).toEqual([]);
    expect(ledger.length).toBeGreaterThan(2);
  });

  test.each(pageSamples)(
    '$name: each block that was cut can be taken back, and each kept one left out',
    ({ html }) => {
      const before = cut(html);
      const missing = before.ledger.filter(({ reason }) => reason !== null).map(({ hash }) => hash);
      const all = cut(html, { rules: { keep: missing, cut: [] } });
      expect(all.ledger.filter(({ reason }) => reason !== null)).toEqual([]);
      const text = read(all.html);
      const lost = all.ledger.filter(
        ({ hash, kind, text: own }) =>
          missing.includes(hash) &&
          kind !== 'table' &&
          !text.includes(plain(own).split(' ').slice(0, 3).join(' ')),
      );
      expect(lost.map((block) => block.text)).toEqual([]);
      const present = before.ledger.filter(({ reason }) => reason === null).map(({ hash }) => hash);
      const none = cut(html, { rules: { keep: [], cut: present } });
      expect(none.isEmpty).toBe(true);
      expect(none.ledger.filter(({ reason }) => reason === null)).toEqual([]);
    },
  );

  test('a block that is taken back stands behind the one before it', () => {
    const html =
      '<main><p>First words here.</p><nav><a href="/x">One menu</a></nav><p>Last words here.</p></main>';
    const menu = cut(html).ledger.find(({ reason }) => reason === 'menu')?.hash ?? '';
    expect(read(cut(html, { rules: { keep: [menu], cut: [] } }).html)).toBe(
      'First words here One menu Last words here',
    );
  });

  test('has no script, no address and no token, and the same hash with others', () => {
    const page = (token: string) =>
      `<body data-t="${token}"><a href="/a?s=${token}">Text</a><script>${token}</script><!-- ${token} --><p>Words.</p></body>`;
    expect(stored(page('one')).hash).toBe(stored(page('two')).hash);
    const text = keepMainContent(unpackTree(stored(page('one')).bytes)).html;
    expect(text).not.toContain('one');
  });

  test('keeps the questions that its structured data states', () => {
    const data = JSON.stringify({
      '@type': 'FAQPage',
      mainEntity: [
        {
          '@type': 'Question',
          name: 'Is it free?',
          acceptedAnswer: { '@type': 'Answer', text: 'Yes, always.' },
        },
      ],
    });
    expect(
      read(cut(`<script type="application/ld+json">${data}</script><main><p>Words.</p></main>`).html),
    ).toContain('Is it free Yes always');
  });

  test('that is larger than a megabyte when compressed is not stored', () => {
    let seed = 1;
    const word = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed.toString(36);
    };
    const text = Array.from({ length: 400_000 }, word).join(' ');
    expect(packTree(parseHtml(`<p>${text}</p>`))).toBeNull();
  });
});
