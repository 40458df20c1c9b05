import { describe, expect, test } from 'vitest';
import { findViolations } from '../../helpers/servers/browser/find-violations.ts';
import { chromiumPath, openBrowser } from '../../helpers/servers/browser/open-browser.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const { app } = await openTestServer();
const get = (url: string) => app.inject({ method: 'GET', url });
const index = await get('/docs/guide');
const linksOf = (html: string) =>
  [...html.matchAll(/(?:href|src|action)="([^"]+)"/g)].flatMap(([, link = '']) => link);
const isForeign = (link: string) => /^(https?:|mailto:)/.test(link);
const base = 'http://parley.example';

/** Every page that the index leads to, by its address. */
const pages = new Map(
  await Promise.all(
    linksOf(index.body)
      .map((link) => new URL(link, `${base}/docs/guide`).pathname)
      .filter((path, place, all) => /^\/docs\/(guide|channels)\//.test(path) && all.indexOf(path) === place)
      .map(async (path) => [path, await get(path)] as const),
  ),
);

describe('the documentation', () => {
  test('lists twenty guides and ten channel pages, each of which answers', () => {
    const paths = [...pages.keys()];
    expect(paths.filter((path) => path.startsWith('/docs/guide/'))).toHaveLength(20);
    expect(paths.filter((path) => path.startsWith('/docs/channels/'))).toHaveLength(10);
    for (const [path, { statusCode, headers }] of pages) {
      expect([path, statusCode, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
    }
  });

  test('every link and every anchor of every page leads somewhere', async () => {
    const broken: string[] = [];
    for (const [path, { body }] of [...pages, ['/docs/guide', index] as const]) {
      for (const link of linksOf(body).filter((each) => !isForeign(each))) {
        const url = new URL(link, base + path);
        const target = url.pathname === path ? body : (await get(url.pathname)).body;
        const exists = pages.has(url.pathname) || (await get(url.pathname)).statusCode < 400;
        const anchor = decodeURIComponent(url.hash.slice(1));
        if (!exists || (anchor !== '' && !target.includes(`id="${anchor}"`))) broken.push(`${path}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('a page has a title, the current entry of the navigation, its contents and its neighbours', () => {
    const body = pages.get('/docs/guide/knowledge')?.body ?? '';
    expect(body).toContain('<title>Documents · Parley</title>');
    expect(body).toContain('<a href="./knowledge" aria-current="page">Documents</a>');
    expect(body).toContain('<li class="depth-2"><a href="#audiences">Audiences</a></li>');
    expect(body).toContain('rel="prev" href="./dashboard"');
    expect(body).toContain('rel="next" href="./sources"');
  });

  test('a page loads scripts and styles of this server only, and may not be framed', () => {
    const policy = String(index.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'sha256-");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  test('the style and the script have the hash of their content in their name', async () => {
    const assets = linksOf(index.body).filter((link) => link.includes('assets/'));
    expect(assets).toEqual([
      expect.stringMatching(/^\.\/assets\/docs-[0-9a-f]{12}\.css$/),
      expect.stringMatching(/^\.\/assets\/docs-[0-9a-f]{12}\.js$/),
    ]);
    for (const link of assets) {
      const { headers } = await get(new URL(link, `${base}/docs/guide`).pathname);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  test.each([
    '/docs/guide/nothing',
    '/docs/channels/nothing',
    '/docs/assets/nothing',
    '/docs/images/nothing',
  ])('%s is not found', async (address) => {
    expect((await get(address)).json()).toMatchObject({ code: 'route_not_found' });
  });
});

describe('the search', () => {
  const search = async (query: string) =>
    (await get(`/docs/search.json?${new URLSearchParams({ q: query })}`)).json().results;

  test.each([
    ['webhook signature', 'Webhooks', 'Verify the signature'],
    ['SEARCH_MEMORY_MB', 'Configuration', 'Storage'],
    ['idempot', 'Use the API', 'Idempotency'],
    ['24-hour window', 'WhatsApp', 'The 24-hour window'],
    ['discord', 'Discord', null],
  ])('%s finds %s › %s first', async (query, title, heading) => {
    expect((await search(query))[0]).toMatchObject({ title, heading });
  });

  test.each(['', '   ', 'zzzz', '<zz>', '('])('%j finds nothing and does not fail', async (query) => {
    expect(await search(query)).toEqual([]);
  });

  test('works as a page without scripts, and writes the query as text', async () => {
    const { statusCode, body } = await get('/docs/search?q=%3Cb%3Erotate');
    expect(statusCode).toBe(200);
    expect(body).toContain('value="&lt;b&gt;rotate"');
    expect(body).not.toContain('<b>rotate</');
    expect((await get('/docs/search?q=rotate')).body).toContain('href="./guide/security#rotate-secrets"');
  });
});

test.skipIf(chromiumPath === undefined)(
  'pages have no accessibility violations in light and dark, show no policy errors, and suggest while a reader types',
  async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const browser = await openBrowser();
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await (await browser.newContext({ colorScheme })).newPage();
      const errors: string[] = [];
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      for (const path of ['/docs/guide', '/docs/guide/api', '/docs/channels/slack', '/docs/search?q=limit']) {
        await page.goto(`${address}${path}`);
        expect([path, colorScheme, await findViolations(page)]).toEqual([path, colorScheme, []]);
      }
      await page.locator('.search input').fill('rotate sec');
      await page.locator('.hits a').first().waitFor();
      await page.locator('.search input').press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/docs\/guide\/security#rotate-secrets$/);
      expect(errors).toEqual([]);
    }
    await browser.close();
  },
);

describe('the documentation for programs', async () => {
  const llms = await get('/llms.txt');
  const links = [...llms.body.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);

  test('llms.txt names every page, as Markdown that exists', async () => {
    expect(llms.headers['content-type']).toBe('text/plain; charset=utf-8');
    const named = links.filter((link) => link.endsWith('.md')).map((link) => `/${link.slice(0, -3)}`);
    expect(named.sort()).toEqual([...pages.keys()].sort());
    for (const link of links) {
      const { statusCode, headers } = await get(new URL(link, `${base}/llms.txt`).pathname);
      const type = link.endsWith('.md') ? 'text/markdown; charset=utf-8' : expect.any(String);
      expect([link, statusCode, headers['content-type']]).toEqual([link, 200, type]);
    }
  });

  test('links of Markdown pages lead to Markdown pages, pictures and other sites', async () => {
    const broken: string[] = [];
    for (const path of pages.keys()) {
      const { body } = await get(`${path}.md`);
      expect(body).toMatch(/^# /);
      for (const [, link = ''] of body.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (isForeign(link) || link.startsWith('#')) continue;
        const { pathname } = new URL(link, `${base}${path}.md`);
        if (!/\.(md|webp)$/.test(pathname) || (await get(pathname)).statusCode !== 200)
          broken.push(`${path}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('llms-full.txt holds all pages, with addresses from the root', async () => {
    const { body } = await get('/llms-full.txt');
    for (const path of pages.keys()) expect(body).toContain(`<!-- ${path.slice(1)}.md -->`);
    expect(body).not.toMatch(/\]\(\.\.?\//);
  });

  test('a page is Markdown for a client that asks for it, and names that address', async () => {
    const url = '/docs/guide/api';
    const asked = await app.inject({ method: 'GET', url, headers: { accept: 'text/markdown, */*' } });
    expect(asked.body).toBe((await get(`${url}.md`)).body);
    const { headers, body } = await get(url);
    expect(headers.link).toBe('<./api.md>; rel="alternate"; type="text/markdown"');
    expect([headers.vary, body.slice(0, 15).toLowerCase()]).toEqual([
      'Accept, Accept-Encoding',
      '<!doctype html>',
    ]);
    expect((await get('/docs/guide/none.md')).statusCode).toBe(404);
  });
});
