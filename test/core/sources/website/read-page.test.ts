import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../core/contract/account.ts';
import { ThreadError } from '../../../../core/contract/threads.ts';
import { website } from '../../../../core/sources/website/website.ts';
import { websiteSettings } from '../../../../core/sources/website/website-settings.ts';
import {
  listSource,
  type RecordedAnswer,
  type RecordedResponse,
  recordedTools,
} from '../../../helpers/sources/read-source.ts';
import { htmlPage } from '../../../helpers/sources/site-traps.ts';

const base = 'https://example.com';

function openReader(
  answers: Record<string, RecordedAnswer>,
  settings: object = {},
  isWanted?: (address: string) => boolean,
) {
  const absolute = Object.entries(answers).map(([path, answer]) => [
    path.startsWith('http') ? path : base + path,
    answer,
  ]);
  const { tools, asked, waits, headers } = recordedTools(Object.fromEntries(absolute));
  const values = { settings: websiteSettings.parse({ url: `${base}/`, ...settings }), credentials: {} };
  const reader = website.open(values, { ...tools, isWanted: isWanted ?? tools.isWanted });
  const read = (path: string, validators: Json | null = null, depth = 1) =>
    reader.read({ key: base + path, url: base + path, depth, validators });
  return { reader, read, list: () => listSource(reader), asked, waits, headers };
}

const html = (text: string, head = '', links: readonly string[] = []): RecordedResponse => ({
  body: htmlPage({ title: 'Title', text, head, links }),
});
const canonical = (path: string) => `<link rel="canonical" href="${path}">`;
const robots = (text: string) => ({
  '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: text },
});

describe('a page', () => {
  test('is content with its title, language, links and validators', async () => {
    const { read } = openReader({
      '/a': {
        ...html('Words of a.', '', ['/b#x', '/c?utm_id=1', 'https://other.example/']),
        headers: { etag: '"1"' },
      },
    });
    const result = await read('/a');
    expect(result).toMatchObject({
      kind: 'content',
      title: 'Title',
      url: `${base}/a`,
      contentType: 'text/html; charset=utf-8',
      found: [`${base}/`, `${base}/b`, `${base}/c`].map((key) => ({ key, depth: 2 })),
      validators: { etag: '"1"' },
    });
  });

  test('is asked for with conditions only under the settings of its last reading', async () => {
    const answers = { '/a': { ...html('Words.'), headers: { etag: '"1"', 'last-modified': 'yesterday' } } };
    const first = openReader(answers);
    const result = await first.read('/a');
    const validators = result.kind === 'content' ? (result.validators ?? null) : null;
    const same = openReader({ '/a': { status: 304 } });
    expect(await same.read('/a', validators)).toEqual({ kind: 'unchanged' });
    expect(same.headers.at(-1)).toMatchObject({ 'if-none-match': '"1"', 'if-modified-since': 'yesterday' });
    const other = openReader(answers, { max_depth: 2 });
    expect((await other.read('/a', validators)).kind).toBe('content');
    expect(other.headers.find((sent) => 'if-none-match' in sent)).toBeUndefined();
  });

  test.each([
    ['timed_out', { name: 'ItemError', code: 'reading_timed_out' }],
    ['out_of_memory', { name: 'ItemError', code: 'out_of_memory' }],
    ['crashed', { name: 'ItemError', code: 'reading_failed' }],
    ['unavailable', { name: 'ThreadError' }],
  ] as const)('is parsed in a thread, which may end as %s', async (fault, error) => {
    const { tools } = recordedTools({ [`${base}/a`]: html('Words.') });
    const values = { settings: websiteSettings.parse({ url: base }), credentials: {} };
    const runInThread = () => Promise.reject(new ThreadError(fault, 'The thread ended.'));
    const reader = website.open(values, { ...tools, runInThread });
    await expect(reader.read({ key: `${base}/a`, validators: null })).rejects.toMatchObject(error);
  });

  test('at the last level has no further links', async () => {
    const { read } = openReader({ '/a': html('Words.', '', ['/b']) }, { max_depth: 1 });
    expect(await read('/a')).toMatchObject({ found: [] });
  });

  test.each([
    ['<meta name="robots" content="noindex">', {}, 2],
    ['<meta name="ROBOTS" content="NONE">', {}, 0],
    ['<meta name="parley" content="noindex, nofollow">', {}, 0],
    ['', { 'x-robots-tag': 'noindex' }, 2],
    ['', { 'x-robots-tag': 'googlebot: nofollow, parley: noindex, nofollow' }, 0],
  ])(
    'is skipped for noindex, and its links count unless they are not to be followed: %s %j',
    async (head, headers, links) => {
      const { read } = openReader({ '/a': { ...html('Words.', head, ['/b']), headers } });
      const result = await read('/a');
      expect(result).toMatchObject({ kind: 'skipped', code: 'noindex' });
      expect(result.kind === 'skipped' && result.found).toHaveLength(links);
    },
  );

  test('is read though another robot may not index it, or not until a date', async () => {
    const { read } = openReader({
      '/a': { ...html('Words.'), headers: { 'x-robots-tag': 'googlebot: noindex' } },
    });
    expect((await read('/a')).kind).toBe('content');
  });

  test('that a script draws fails with what to do', async () => {
    const { read } = openReader({
      '/a': {
        body: '<body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="x.js"></script>',
      },
    });
    await expect(read('/a')).rejects.toMatchObject({
      code: 'empty_page',
      message: expect.stringContaining('upload its text'),
    });
  });

  test('loses the name of the site from its title where its heading or the site proves it', async () => {
    const titled = (title: string, rest: string) => ({
      body: `<title>${title}</title>${rest}<p>Some words.</p>`,
    });
    const { read } = openReader({
      '/a': titled('Returns | Shop', '<h1>Returns</h1>'),
      '/b': titled('Returns - a story', '<h1>Other</h1>'),
      '/c': titled('Returns – Shop', '<meta property="og:site_name" content="Shop">'),
    });
    const titles = await Promise.all(['/a', '/b', '/c'].map((path) => read(path)));
    expect(titles.map((result) => (result.kind === 'content' ? result.title : null))).toEqual([
      'Returns',
      'Returns - a story',
      'Returns',
    ]);
  });

  test('that is nested too deeply or has too many elements fails alone', async () => {
    const open = Array.from({ length: 400 }, (_, place) => `<b id=${place}>`).join('');
    const { read } = openReader({
      '/a': { body: '<div>'.repeat(5_000) },
      // Each paragraph repeats all that is open.
      '/b': { body: `<p>${open}${'<p>x'.repeat(100_000)}` },
    });
    await expect(read('/a')).rejects.toMatchObject({ name: 'ItemError', code: 'nested_too_deeply' });
    await expect(read('/b')).rejects.toMatchObject({ name: 'ItemError', code: 'too_large' });
  });
});

describe('addresses of the same page', () => {
  test('a canonical address of the site replaces the page, one of another site does not', async () => {
    const { read } = openReader({
      '/a?x=1': html('Words of a.', canonical('/a')),
      '/a': html('Words of a.', canonical('/a')),
      '/b': html('Words of b.', canonical('https://other.example/b')),
      '/c': { ...html('Words of a.'), headers: { link: '</a>; rel="canonical"' } },
    });
    expect(await read('/a?x=1')).toMatchObject({ kind: 'moved', to: { key: `${base}/a`, depth: 1 } });
    expect(await read('/c')).toMatchObject({ kind: 'moved', to: { key: `${base}/a` } });
    expect((await read('/a')).kind).toBe('content');
    expect((await read('/b')).kind).toBe('content');
  });

  test('a canonical address that says something else is not believed', async () => {
    const welcome = html('Welcome to the shop, where everything is made of wood.', canonical('/'));
    const { read } = openReader({
      '/': welcome,
      '/a': html('The crane lifts 613 tons and costs 20 euros a day.', canonical('/')),
      '/print': html('Welcome to the shop, where everything is made of oak wood.', canonical('/')),
      '/manual.pdf': {
        headers: { 'content-type': 'application/pdf', link: '</>; rel="canonical"' },
        body: '%PDF-1.4 The manual.',
      },
    });
    expect((await read('/a')).kind).toBe('content');
    expect(await read('/print')).toMatchObject({ kind: 'moved', to: { key: `${base}/` } });
    expect((await read('/manual.pdf')).kind).toBe('content');
  });

  test('of pages that name each other, the same one stays, whichever is read first', async () => {
    const answers = {
      '/a': html('Words.', canonical('/b')),
      '/b': html('Words.', canonical('/c')),
      '/c': html('Words.', canonical('/a')),
    };
    for (const path of ['/a', '/b', '/c']) {
      const result = await openReader(answers).read(path);
      expect(result).toMatchObject(
        path === '/a' ? { kind: 'content' } : { kind: 'moved', to: { key: `${base}/a` } },
      );
    }
  });

  test('a canonical address that is missing, excluded, hidden or redirects back is ignored', async () => {
    const answers = {
      '/a': html('Words.', canonical('/missing')),
      '/b': html('Words.', canonical('/b/')),
      '/b/': { status: 301, headers: { location: '/b' } },
      '/c': html('Words.', canonical('/excluded')),
      '/excluded': html('Words.'),
      '/d': html('Words.', canonical('/hidden')),
      '/hidden': html('Words.', '<meta name="robots" content="noindex">'),
    };
    const { read } = openReader(answers, {}, (address) => !address.includes('excluded'));
    for (const path of ['/a', '/b', '/c', '/d']) expect((await read(path)).kind, path).toBe('content');
  });

  test('a page that was requested for another one is not requested again', async () => {
    const { read, asked } = openReader({
      '/old': { status: 301, headers: { location: '/new' } },
      '/new': html('Words.'),
    });
    expect(await read('/old')).toMatchObject({ kind: 'moved', to: { key: `${base}/new` } });
    expect((await read('/new')).kind).toBe('content');
    expect(asked.filter((address) => address === `${base}/new`)).toHaveLength(1);
  });

  test('a redirect that only adds a session stays the same page', async () => {
    const { read } = openReader({
      '/a': { status: 302, headers: { location: '/a?sid=77' } },
      '/a?sid=77': html('Words.'),
    });
    expect(await read('/a')).toMatchObject({ kind: 'content', url: `${base}/a` });
  });

  test('a redirect to a page that robots must not read is not followed', async () => {
    const { read, asked } = openReader({
      ...robots('User-agent: *\nDisallow: /login'),
      '/a': { status: 302, headers: { location: '/login?next=a' } },
    });
    expect(await read('/a')).toMatchObject({ kind: 'skipped', code: 'robots_disallowed' });
    expect(asked).not.toContain(`${base}/login?next=a`);
  });
});

describe('pages that are not there', () => {
  const sorry = html('Sorry, there is nothing at this place, please go back to the start.');
  const probe = '/parley-missing-100680ad546c';

  test('a page like the answer to a missing one is gone, one with words of its own stays', async () => {
    const { read } = openReader({ [probe]: sorry, '/a': sorry, '/b': html('Oak tables last for ever.') });
    expect(await read('/a')).toEqual({ kind: 'gone' });
    expect((await read('/b')).kind).toBe('content');
  });

  test('a redirect to where missing pages lead is gone', async () => {
    const away = { status: 302, headers: { location: '/sorry' } };
    const { read } = openReader({ [probe]: away, '/a': away, '/sorry': sorry, '/': sorry });
    expect(await read('/a')).toEqual({ kind: 'gone' });
  });

  test('on a site that answers 404 a page about missing pages stays', async () => {
    const { read } = openReader({ '/a': html('404: page not found, and what to do.') });
    expect((await read('/a')).kind).toBe('content');
  });

  test.each([404, 410])('status %i is gone', async (status) => {
    expect(await openReader({ '/a': { status } }).read('/a')).toMatchObject({ kind: 'gone' });
  });

  test.each([401, 403, 500, 503])('status %i fails and keeps the document', async (status) => {
    await expect(openReader({ '/a': { status } }).read('/a')).rejects.toMatchObject({
      code: `http_${status}`,
    });
  });
});

describe('Markdown and other files', () => {
  const markdown = (body: string, headers = {}): RecordedAnswer => ({
    headers: { 'content-type': 'text/markdown', ...headers },
    body,
  });
  const llms = (body: string): RecordedAnswer => ({ headers: { 'content-type': 'text/plain' }, body });

  test('the Markdown version that a page links, or llms.txt lists, is read instead', async () => {
    const { read, asked } = openReader({
      '/a': html('HTML.', '<link rel="alternate" type="text/markdown" href="/a.md">'),
      '/a.md': markdown('# A'),
      '/llms.txt': llms('- [B](/docs/b.md)'),
      '/docs/b': html('HTML.'),
      '/docs/b.md': markdown('# B'),
      '/docs/c': html('HTML.'),
    });
    for (const path of ['/a', '/docs/b']) {
      expect(await read(path)).toMatchObject({
        kind: 'content',
        contentType: 'text/markdown',
        url: base + path,
      });
    }
    expect(await read('/docs/c')).toMatchObject({ contentType: 'text/html; charset=utf-8' });
    expect(asked).not.toContain(`${base}/docs/c.md`);
  });

  test('each page is tried as Markdown if llms.txt shows that all have it, and never if it is not wished', async () => {
    const answers = {
      '/llms.txt': llms('- [1](/1.md)\n- [2](/2.md)\n- [3](/3.md)'),
      '/c': html('HTML.'),
      '/c.md': markdown('# C'),
    };
    expect(await openReader(answers).read('/c')).toMatchObject({ contentType: 'text/markdown' });
    const plain = openReader(answers, { prefer_markdown: false });
    expect(await plain.read('/c')).toMatchObject({ contentType: 'text/html; charset=utf-8' });
    expect(plain.asked).not.toContain(`${base}/llms.txt`);
  });

  test('an HTML page under the address of a Markdown version is not taken for it', async () => {
    const { read } = openReader({
      '/a': html('HTML.', '<link rel="alternate" type="text/markdown" href="/a.md">'),
      '/a.md': { ...html('Not found.'), headers: { 'content-type': 'text/plain' } },
    });
    expect(await read('/a')).toMatchObject({ contentType: 'text/html; charset=utf-8' });
  });

  test('a Markdown page is read as it is, with its links', async () => {
    const { read } = openReader({ '/a.md': markdown('# A\n\n[B](/b)') });
    expect(await read('/a.md')).toMatchObject({
      fileName: 'a.md',
      contentType: 'text/markdown',
      found: [{ key: `${base}/b` }],
    });
  });

  test('pictures, data and archives are skipped, a feed is read for its links', async () => {
    const typed = (type: string, body: string): RecordedAnswer => ({
      headers: { 'content-type': type },
      body,
    });
    const { read } = openReader({
      '/a': typed('image/svg+xml', '<svg/>'),
      '/b': typed('application/json', '{}'),
      '/c': typed('application/octet-stream', 'PK\u0003\u0004'),
      '/feed': typed('application/rss+xml', '<rss><channel><item><link>/post</link></item></channel></rss>'),
    });
    expect(await read('/a')).toMatchObject({ kind: 'skipped', code: 'unsupported_format' });
    expect(await read('/b')).toMatchObject({ kind: 'skipped', code: 'unsupported_format' });
    expect((await read('/c')).kind).toBe('skipped');
    expect(await read('/feed')).toMatchObject({
      kind: 'skipped',
      code: 'list',
      found: [{ key: `${base}/post`, depth: 2 }],
    });
  });
});

describe('the list', () => {
  const xml = (body: string): RecordedAnswer => ({ headers: { 'content-type': 'application/xml' }, body });
  const sitemap = (...paths: readonly string[]) =>
    xml(
      `<urlset>${paths.map((path) => `<url><loc>${path.startsWith('http') ? path : base + path}</loc></url>`).join('')}</urlset>`,
    );
  const start = html('Welcome.', '', ['/linked']);

  test('is the start, which is not requested twice, on a site without a sitemap', async () => {
    const { list, read, asked } = openReader({ '/': start });
    expect((await list()).items).toEqual([{ key: `${base}/`, url: `${base}/`, depth: 0 }]);
    expect(await read('/', null, 0)).toMatchObject({
      kind: 'content',
      found: [{ key: `${base}/linked`, depth: 1 }],
    });
    expect(asked.filter((address) => address === `${base}/`)).toHaveLength(1);
  });

  test('is the start and the sitemap, without other sites and what patterns leave out', async () => {
    const { list, read } = openReader(
      {
        '/': start,
        '/sitemap.xml': sitemap('/a', '/b/no', '/a', '/x.png', 'https://other.example/'),
        '/a': html('Words.', '', ['/c']),
      },
      {},
      (address) => !address.includes('/no'),
    );
    const { items, leftOut } = await list();
    expect(items).toEqual([
      { key: `${base}/`, url: `${base}/`, depth: 0, origin: 'list' },
      { key: `${base}/a`, url: `${base}/a`, depth: 1, origin: 'list' },
    ]);
    expect(leftOut.map(({ code }) => code)).toEqual(['excluded', 'other_host']);
    expect(await read('/a', null, 5)).toMatchObject({ found: [] });
  });

  test('is all sitemaps that robots.txt names', async () => {
    const { list } = openReader({
      ...robots(`Sitemap: ${base}/1.xml\nSitemap: /2.xml\nSitemap: /missing.xml`),
      '/': start,
      '/1.xml': sitemap('/a'),
      '/2.xml': sitemap('/b'),
    });
    expect((await list()).items.map(({ key }) => key)).toEqual([`${base}/`, `${base}/a`, `${base}/b`]);
  });

  test('comes in pages that another process can continue', async () => {
    const paths = Array.from({ length: 2_500 }, (_, place) => `/p${place}`);
    const answers = { '/': start, '/sitemap.xml': sitemap(...paths) };
    const lengths: number[] = [];
    let next: Json | null = null;
    do {
      const page = await openReader(answers).reader.list(next);
      lengths.push(page.items.length);
      next = page.next;
    } while (next !== null);
    expect(lengths).toEqual([1, 1_000, 1_000, 500]);
  });

  test('ends although an index names itself', async () => {
    const index = xml(`<sitemapindex><sitemap><loc>${base}/sitemap.xml</loc></sitemap></sitemapindex>`);
    expect((await openReader({ '/': start, '/sitemap.xml': index }).list()).items).toMatchObject([
      { key: `${base}/` },
    ]);
  });

  const indexOf = (...paths: readonly string[]) =>
    xml(
      `<sitemapindex>${paths.map((path) => `<sitemap><loc>${base}${path}</loc></sitemap>`).join('')}</sitemapindex>`,
    );

  test('is cut, and says so, if an index has more files or pages than are read', async () => {
    const files = Array.from({ length: 1_001 }, (_, place) => `/${place}.xml`);
    const inner = Object.fromEntries(files.map((path) => [path, sitemap(`/p${path}`)]));
    const answers = { '/': start, '/sitemap.xml': indexOf(...files), ...inner };
    const many = await openReader(answers, { follow: 'sitemap' }).list();
    expect(many.items).toHaveLength(1_000);
    expect(many).toMatchObject({ isCut: true, leftOut: [{ code: 'too_many_sitemaps' }] });
    const whole = { ...answers, '/sitemap.xml': indexOf(...files.slice(1)) };
    expect(await openReader(whole, { follow: 'sitemap' }).list()).toMatchObject({
      isCut: false,
      leftOut: [],
    });
    const named = robots(files.map((path) => `Sitemap: ${base}${path}`).join('\n'));
    const byRobots = await openReader({ '/': start, ...inner, ...named }, { follow: 'sitemap' }).list();
    expect(byRobots).toMatchObject({ isCut: true, leftOut: [{ code: 'too_many_sitemaps' }] });
    const paths = Array.from({ length: 50_000 }, (_, place) => `/p${place}`);
    const full = { '/': start, '/sitemap.xml': indexOf('/1.xml'), '/1.xml': sitemap(...paths) };
    expect(await openReader(full, { follow: 'sitemap' }).list()).toMatchObject({ isCut: false, leftOut: [] });
    const fuller = { ...full, '/sitemap.xml': indexOf('/1.xml', '/2.xml'), '/2.xml': sitemap('/more') };
    const cut = await openReader(fuller, { follow: 'sitemap' }).list();
    expect(cut).toMatchObject({ isCut: true, leftOut: [{ code: 'too_many_pages' }] });
  });

  test('is cut, and says so, if indexes are nested too deeply', async () => {
    const answers = {
      ...{ '/': start, '/sitemap.xml': indexOf('/1.xml'), '/1.xml': indexOf('/2.xml', '/a.xml') },
      ...{ '/2.xml': indexOf('/3.xml'), '/3.xml': sitemap('/lost'), '/a.xml': sitemap('/a') },
    };
    const { items, ...list } = await openReader(answers, { follow: 'sitemap' }).list();
    expect(items).toMatchObject([{ key: `${base}/a` }]);
    expect(list).toMatchObject({ isCut: true, leftOut: [{ code: 'sitemaps_nested' }] });
  });

  test('fails by the sitemap only if an index is damaged, or robots.txt names a sitemap that is missing', async () => {
    const damaged = {
      ...indexOf('/1.xml'),
      body: `<sitemapindex><sitemap><loc>${base}/1.xml</loc></sitemap>`,
    };
    const answers = { '/': start, '/sitemap.xml': damaged, '/1.xml': sitemap('/a') };
    await expect(openReader(answers, { follow: 'sitemap' }).list()).rejects.toMatchObject({
      code: 'sitemap_unreadable',
    });
    const named = {
      ...robots(`Sitemap: ${base}/1.xml\nSitemap: ${base}/2.xml`),
      ...{ '/': start, '/1.xml': sitemap('/a'), '/2.xml': { status: 500 } },
    };
    await expect(openReader(named, { follow: 'sitemap' }).list()).rejects.toMatchObject({
      code: 'sitemap_unreadable',
    });
    expect(await openReader(named).list()).toMatchObject({
      items: [{ key: `${base}/` }, { key: `${base}/a` }],
      leftOut: [{ code: 'sitemap_unreadable' }],
    });
  });

  test('leaves out an inner sitemap that is missing, and fails by the sitemap only', async () => {
    const answers = {
      '/': start,
      '/sitemap.xml': xml(
        `<sitemapindex><sitemap><loc>${base}/1.xml</loc></sitemap><sitemap><loc>${base}/2.xml</loc></sitemap></sitemapindex>`,
      ),
      '/2.xml': sitemap('/b'),
    };
    expect(await openReader(answers).list()).toMatchObject({
      items: [{ key: `${base}/` }, { key: `${base}/b` }],
      leftOut: [{ code: 'sitemap_unreadable' }],
    });
    await expect(openReader(answers, { follow: 'sitemap' }).list()).rejects.toMatchObject({
      code: 'sitemap_unreadable',
    });
  });

  test('is the start with llms.txt beside it, or the feed or llms.txt that is entered', async () => {
    const llms = { headers: { 'content-type': 'text/plain' }, body: '- [Keys](/keys.md)' };
    const feed = {
      headers: { 'content-type': 'application/atom+xml' },
      body: '<feed><entry><link href="/post"/></entry></feed>',
    };
    const both = await openReader({ '/': start, '/llms.txt': llms }).list();
    expect(both.items.map(({ key }) => key)).toEqual([`${base}/`, `${base}/keys.md`]);
    const entered = await openReader({ '/llms.txt': llms }, { url: `${base}/llms.txt` }).list();
    expect(entered.items).toMatchObject([{ key: `${base}/keys.md`, title: 'Keys' }]);
    expect((await openReader({ '/feed': feed }, { url: `${base}/feed` }).list()).items).toMatchObject([
      { key: `${base}/post` },
    ]);
    await expect(
      openReader({ '/feed': feed }, { url: `${base}/feed`, follow: 'sitemap' }).list(),
    ).rejects.toMatchObject({
      code: 'no_sitemap',
    });
  });

  test.each([
    ['a missing start', { '/': { status: 404 } }, 'start_missing'],
    ['a refused start', { '/': { status: 403 } }, 'start_refused'],
    [
      'a start that is another site',
      { '/': { status: 301, headers: { location: 'https://other.example/' } } },
      'start_moved',
    ],
    ['a start that robots must not read', robots('User-agent: *\nDisallow: /'), 'robots_disallowed'],
    ['a robots.txt that fails', { '/robots.txt': { status: 500 } }, 'robots_unreachable'],
    ['a robots.txt that does not come', { '/robots.txt': { failure: 'timed_out' } }, 'robots_unreachable'],
    ['a private address', { '/': { failure: 'address_refused' } }, 'address_refused'],
    ['a private host', { '/robots.txt': { failure: 'address_refused' } }, 'address_refused'],
  ] satisfies [string, Record<string, RecordedAnswer>, string][])(
    'fails for %s',
    async (_, answers, code) => {
      await expect(openReader(answers).list()).rejects.toMatchObject({ name: 'SourceError', code });
    },
  );

  test('a start that redirects to www. is the start of the site there', async () => {
    const { list } = openReader({
      '/': { status: 301, headers: { location: 'https://www.example.com/' } },
      'https://www.example.com/': start,
    });
    expect((await list()).items).toMatchObject([{ key: 'https://www.example.com/' }]);
  });
});

describe('politeness', () => {
  test('requests keep their distance, and that of robots.txt if it is longer', async () => {
    const pages = { '/a': html('Words of a.'), '/b': html('Words of b.') };
    const fast = openReader(pages, { requests_per_second: 10, prefer_markdown: false });
    for (const path of ['/a', '/b']) await fast.read(path);
    expect(fast.waits).toEqual([100, 100, 100]);
    const slow = openReader(
      { ...pages, ...robots('User-agent: *\nCrawl-delay: 3') },
      { prefer_markdown: false },
    );
    for (const path of ['/a', '/b']) await slow.read(path);
    expect(slow.waits).toEqual([200, 3_000, 3_000]);
  });

  test('a short Retry-After is waited for, a long one ends the slice', async () => {
    const limited = (after: string) => ({ status: 429, headers: { 'retry-after': after } });
    const short = openReader({ '/a': [limited('2'), html('Words.')] }, { prefer_markdown: false });
    expect((await short.read('/a')).kind).toBe('content');
    expect(short.waits).toContain(2_000);
    const long = openReader({ '/a': limited('120') });
    await expect(long.read('/a')).rejects.toMatchObject({
      name: 'SourceError',
      code: 'rate_limited',
      retryAfterMs: 120_000,
    });
    const busy = openReader({
      '/a': { status: 503, headers: { 'retry-after': 'Thu, 26 Nov 2026 13:00:00 GMT' } },
    });
    await expect(busy.read('/a')).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterMs: expect.closeTo(3_600_000, -4),
    });
  });

  test('a slow page and a refused address fail alone; a host that is away ends the run', async () => {
    const { read } = openReader({
      '/a': { failure: 'timed_out' },
      '/b': { failure: 'address_refused' },
      '/c': { failure: 'host_unreachable' },
    });
    await expect(read('/a')).rejects.toMatchObject({ name: 'ItemError', code: 'timed_out' });
    await expect(read('/b')).rejects.toMatchObject({ name: 'ItemError', code: 'address_refused' });
    for (let count = 1; count < 5; count += 1)
      await expect(read('/c')).rejects.toMatchObject({ name: 'ItemError' });
    await expect(read('/c')).rejects.toMatchObject({ name: 'SourceError', retryAfterMs: 60_000 });
  });
});
