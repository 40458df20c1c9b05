import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ThreadError } from '../../../../core/contract/threads.ts';
import { isTrap, normaliseAddress, Site, VariantCounter } from '../../../../core/sources/website/address.ts';
import {
  parseMarkdownLinks,
  readSiteList,
  stableVersion,
} from '../../../../core/sources/website/discovery/site-list.ts';
import { parseSiteList } from '../../../../core/sources/website/discovery/site-list-thread.ts';
import { parseRobots } from '../../../../core/sources/website/requests/robots.ts';
import { connectorTools } from '../../../helpers/platforms/connector-tools.ts';

const now = new Date('2026-11-26T12:00:00Z');

describe('addresses', () => {
  test.each([
    ['HTTP://Example.com:80/a/../b#part', 'http://example.com/b'],
    ['https://example.com/a?b=2&a=1&utm_source=x&gclid=1&fbclid=2', 'https://example.com/a?a=1&b=2'],
    ['https://example.com/a;jsessionid=12?PHPSESSID=1&sid=2', 'https://example.com/a'],
    ['https://example.com/%7Ejo/%c3%a4?', 'https://example.com/~jo/%C3%A4'],
    ['/docs/./x/', 'https://example.com/docs/x/'],
  ])('%s is known as %s', (address, known) => {
    expect(normaliseAddress(address, 'https://example.com/')).toBe(known);
  });

  test.each([
    'mailto:a@b.c',
    'javascript:void(0)',
    'https://user:word@example.com/',
    `https://example.com/${'a'.repeat(1000)}`,
    'https://',
  ])('%s is no address of a page', (address) => expect(normaliseAddress(address)).toBeNull());

  test.each([
    'https://example.com/a/b/a/b/a/b',
    'https://example.com/calendar/2031/05',
    'https://example.com/?month=1999-01',
    'https://example.com/events/20310501',
    `https://example.com/${'x/'.repeat(17)}`,
    'https://example.com/shop?a=1&b=1&c=1&d=1&e=1&f=1&g=1',
  ])('%s is a trap', (address) => expect(isTrap(address, now)).toBe(true));

  test.each([
    'https://example.com/blog/2014/05/an-article',
    'https://example.com/calendar/2026/12',
    'https://example.com/docs/v1/docs/install',
    'https://example.com/shop?page=2',
    'https://example.com/events/conference-room-2000-seats-and-more/../x',
  ])('%s is no trap', (address) => expect(isTrap(address, now)).toBe(false));

  test('a site is its host with and without www., and its subdomains if they are included', () => {
    const site = new Site('https://www.example.com/docs', false);
    const all = new Site('https://example.com/', true);
    expect(site.includes('http://example.com/a')).toBe(true);
    expect(site.includes('https://docs.example.com/a')).toBe(false);
    expect(all.includes('https://docs.example.com/a')).toBe(true);
    expect(all.includes('https://notexample.com/a')).toBe(false);
    expect(all.includes('https://example.com.evil.example/')).toBe(false);
    expect(site.includes('https://example.com:8443/')).toBe(false);
  });

  test('a path has 50 variants at most, and those stay accepted', () => {
    const counter = new VariantCounter();
    const variants = Array.from({ length: 60 }, (_, place) => `https://example.com/a?b=${place}`);
    expect(variants.filter((variant) => counter.accept(variant))).toHaveLength(50);
    expect(counter.accept('https://example.com/a?b=3')).toBe(true);
    expect(counter.accept('https://example.com/a')).toBe(true);
  });
});

describe('robots.txt', () => {
  const allows = (text: string, path: string) =>
    parseRobots(text, 'parley').isAllowed(`https://example.com${path}`);

  test('the groups of our name apply together, and those for all robots do not', () => {
    const text =
      'User-agent: *\nDisallow: /\n\nUser-agent: Parley/2.0\nUser-agent: other\nDisallow: /a\n\nuser-agent: PARLEY\nDisallow: /b';
    expect(['/', '/a', '/b', '/c'].map((path) => allows(text, path))).toEqual([true, false, false, true]);
  });

  test('the longest rule decides, and Allow wins between equal ones', () => {
    const text = 'User-agent: *\nDisallow: /docs\nAllow: /docs/open\nDisallow: /same\nAllow: /same';
    expect(['/docs', '/docs/open/x', '/same', '/x'].map((path) => allows(text, path))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  test.each([
    ['/*.pdf$', '/a/b.pdf', false],
    ['/*.pdf$', '/a/b.pdf?x', true],
    ['/a*c', '/abbbc/d', false],
    ['/a*c', '/abbb', true],
    ['/fish$', '/fish', false],
    ['/fish$', '/fish/', true],
    ['/ä', '/%C3%A4', false],
    ['/%7ejo', '/~jo', false],
    ['/*?sort=', '/a?sort=x', false],
    ['*', '/', false],
  ])('Disallow: %s lets %s through: %s', (rule, path, isAllowed) => {
    expect(allows(`User-agent: *\nDisallow: ${rule}`, path)).toBe(isAllowed);
  });

  test('an empty rule, comments, a byte order mark and unknown lines do no harm', () => {
    expect(allows('\ufeffUser-agent: * # all\nDisallow: # nothing\nNonsense\nDisallow /x', '/x')).toBe(true);
  });

  test('the delay is at most 10 seconds, and sitemaps stand outside of groups', () => {
    const rules = parseRobots(
      'Sitemap: https://example.com/a.xml\nUser-agent: *\nCrawl-delay: 90\nsitemap: /b.xml',
      'parley',
    );
    expect(rules.delayMs).toBe(10_000);
    expect(rules.sitemaps).toEqual(['https://example.com/a.xml', '/b.xml']);
  });

  test('text after 500,000 characters does not count', () => {
    const text = `User-agent: *\n${'#'.repeat(500_000)}\nDisallow: /`;
    expect(allows(text, '/a')).toBe(true);
  });

  test('a pattern of many stars costs no time', () => {
    const text = `User-agent: *\nDisallow: /${'*a'.repeat(500)}$`;
    expect(allows(text, `/${'a'.repeat(900)}b`)).toBe(true);
  });
});

describe('sitemaps and feeds', () => {
  const parse = parseSiteList;
  const read = (
    bytes: Uint8Array,
    { type = 'application/xml', runInThread = connectorTools().runInThread } = {},
  ) =>
    readSiteList(
      {
        kind: 'answer',
        address: 'https://example.com/list',
        response: {
          url: 'https://example.com/list',
          status: 200,
          headers: new Headers({ 'content-type': type }),
          bytes,
        },
      },
      { runInThread },
    );

  test('a sitemap names addresses with their last change, without those of extensions', () => {
    const list = parse(
      `<?xml version="1.0"?><urlset xmlns:image="x"><url><loc> https://example.com/a?b=1&amp;c=2 </loc><lastmod>2026-01-02</lastmod>
<image:image><image:loc>https://example.com/a.png</image:loc></image:image></url><url><loc><![CDATA[https://example.com/b]]></loc></url></urlset>`,
    );
    expect(list).toEqual({
      kind: 'sitemap',
      isCut: false,
      entries: [
        { address: 'https://example.com/a?b=1&c=2', changed: '2026-01-02' },
        { address: 'https://example.com/b' },
      ],
    });
  });

  test('RSS and Atom name their entries', () => {
    const rss = parse(
      '<rss><channel><title>Blog</title><link>https://example.com</link><item><title>One</title><link>https://example.com/1</link></item></channel></rss>',
    );
    const atom = parse(
      '<feed xmlns="http://www.w3.org/2005/Atom"><link href="/feed" rel="self"/><entry><title>Two</title><link rel="edit" href="/e"/><link href="/2"/><updated>2026-02-03T00:00:00Z</updated></entry></feed>',
    );
    expect(rss).toMatchObject({
      kind: 'feed',
      entries: [{ address: 'https://example.com/1', title: 'One' }],
    });
    expect(atom?.entries).toEqual([{ address: '/2', title: 'Two', changed: '2026-02-03T00:00:00Z' }]);
  });

  test('a compressed sitemap is read, and one that expands too far is refused', async () => {
    const text = '<sitemapindex><sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>';
    expect(await read(gzipSync(text))).toMatchObject({ kind: 'index', entries: [{}] });
    await expect(read(gzipSync(Buffer.alloc(60_000_000, ' ')))).rejects.toThrow(/50 MB/);
  });

  test('a sitemap in plain text has an address in each line, and other texts are no list', async () => {
    const lines = Buffer.from('https://example.com/a\nhttps://example.com/b\n');
    expect(await read(lines, { type: 'text/plain' })).toMatchObject({ kind: 'sitemap', entries: [{}, {}] });
    expect(await read(Buffer.from('Words of a page.'), { type: 'text/plain' })).toBeNull();
    expect(await read(lines, { type: 'text/html' })).toBeNull();
  });

  test.each(['timed_out', 'out_of_memory', 'crashed'] as const)(
    'a sitemap whose thread has %s is unreadable, and says so',
    async (fault) => {
      const runInThread = () => Promise.reject(new ThreadError(fault, 'The thread ended.'));
      await expect(read(Buffer.from('<urlset/>'), { runInThread })).rejects.toMatchObject({
        code: 'sitemap_unreadable',
      });
    },
  );

  test('a sitemap is read later where threads are gone', async () => {
    const runInThread = () => Promise.reject(new ThreadError('unavailable', 'The pool was closed.'));
    await expect(read(Buffer.from('<urlset/>'), { runInThread })).rejects.toBeInstanceOf(ThreadError);
  });

  test('entities are not expanded, and an error costs its entry only', () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><urlset><url><loc>https://example.com/&b;</loc></url><url><loc>https://example.com/2</loc></url></urlset>`;
    expect(parse(bomb)?.entries.map(({ address }) => address)).toEqual([
      'https://example.com/&b;',
      'https://example.com/2',
    ]);
  });

  test('a page is no list, and a sitemap that ends in the middle says so', () => {
    expect(parse('<!doctype html><html><body><url>x</url></body></html>')).toBeNull();
    expect(parse('Some text')).toBeNull();
    expect(parse('<urlset><url><loc>https://example.com/1</loc></url><url><lo')).toMatchObject({
      isCut: true,
      entries: [{}],
    });
  });

  test('50,000 addresses of a sitemap are read, and no deep nesting', () => {
    const list = parse(`<urlset>${'<url><loc>https://example.com/</loc></url>'.repeat(50_010)}</urlset>`);
    expect(list).toMatchObject({ isCut: true });
    expect(list?.entries).toHaveLength(50_000);
    expect(parse(`<urlset>${'<a>'.repeat(200_000)}`)).toMatchObject({ isCut: true, entries: [] });
  });

  test('an XML file that is nothing but errors is given up', () => {
    expect(parse(`<urlset>${'<a x="'.repeat(1_000_000)}`)).toMatchObject({ isCut: true, entries: [] });
  });

  test('llms.txt names links with their titles', () => {
    const { entries } = parseMarkdownLinks(
      '# Site\n> About\n## Docs\n- [Keys](/docs/keys.md): how\n- [](https://example.com/x)',
    );
    expect(entries).toEqual([
      { address: '/docs/keys.md', title: 'Keys' },
      { address: 'https://example.com/x' },
    ]);
  });

  test('a last change is a version only if it can tell two changes apart', () => {
    const versions = ['2026-01-01', '2026-11-26', '2026-11-26T08:00:00Z', '2027-01-01', 'soon', undefined];
    expect(versions.map((changed) => stableVersion(changed, now))).toEqual([
      '2026-01-01',
      null,
      '2026-11-26T08:00:00Z',
      null,
      null,
      null,
    ]);
  });
});
