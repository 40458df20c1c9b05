import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildApp } from '../../../server/app.ts';
import { bundleBrowserApp } from '../../../server/dashboard/bundle.ts';
import { chromiumPath, openBrowser } from '../../helpers/servers/browser/open-browser.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const bundle = await bundleBrowserApp();
const { runtime } = await openTestServer();

function buildSlowApp(hash: string, built: Promise<void>) {
  const bundleSlowly = () => built.then(() => bundle);
  return buildApp(runtime, {
    dashboard: { sources: { hashInputs: async () => hash, bundleBrowserApp: bundleSlowly } },
  });
}

const building = Promise.withResolvers<void>();
const app = buildSlowApp('test', building.promise);

const open = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers });

describe('the page of the dashboard', () => {
  test('until it is built, a page that loads itself again stands in its place', async () => {
    const page = await open('/dashboard');
    expect(page.statusCode).toBe(503);
    expect(page.headers['retry-after']).toBe('1');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.body).toContain('http-equiv="refresh"');
    building.resolve();
    await expect.poll(async () => (await open('/dashboard')).statusCode).toBe(200);
  });

  test.skipIf(chromiumPath === undefined)(
    'that page also loads a link with a token again (skipped without Chromium)',
    async () => {
      const built = Promise.withResolvers<void>();
      const slow = buildSlowApp('slow', built.promise);
      const address = await slow.listen({ port: 0, host: '127.0.0.1' });
      const browser = await openBrowser();
      const page = await browser.newPage();
      await page.goto(`${address}/dashboard/begin#token`);
      expect(await page.locator('h1').innerText()).toBe('Starting');
      built.resolve();
      await page.locator('#app').waitFor({ state: 'attached' });
      expect(new URL(page.url()).hash).toBe('#token');
      await browser.close();
      await slow.close();
    },
  );

  test('/ leads to it', async () => {
    const { statusCode, headers } = await open('/');
    expect([statusCode, headers.location]).toEqual([302, '/dashboard']);
  });

  test.each(['/dashboard', '/dashboard/begin', '/dashboard/w/ws_1/channels/new/slack?step=2'])(
    '%s is the page, with a policy of its own and a new nonce each time',
    async (path) => {
      const [page, again] = [await open(path), await open(path)];
      const nonce = /<meta property="csp-nonce" nonce="([^"]+)">/.exec(page.body)?.[1];
      const [script = ''] = /(?<=<script>).*?(?=<\/script>)/s.exec(page.body) ?? [];
      const hash = createHash('sha256').update(script).digest('base64');
      expect(page.statusCode).toBe(200);
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'content-security-policy': `default-src 'none'; script-src 'self' 'sha256-${hash}'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      });
      expect(again.body).not.toContain(nonce);
    },
  );

  test.skipIf(chromiumPath === undefined)(
    'its first paint waits for no script and no style sheet (skipped without Chromium)',
    async () => {
      const address = await app.listen({ port: 0, host: '127.0.0.1' });
      const browser = await openBrowser();
      const page = await browser.newPage();
      // No file of the page arrives.
      await page.route('**/assets/**', () => {});
      await page.goto(`${address}/dashboard/w/ws_1/inbox`, { waitUntil: 'commit' });
      await expect
        .poll(() => page.evaluate("performance.getEntriesByType('paint').map(({ name }) => name)"))
        .toContain('first-contentful-paint');
      const { width = 0 } = (await page.locator('.first-sheet').boundingBox()) ?? {};
      expect(width).toBeGreaterThan(900);
      await browser.close();
    },
  );

  test('its files are cached for ever and compressed as the browser accepts', async () => {
    const path = `/dashboard/assets/${bundle.main}`;
    const plain = await open(path);
    const zipped = await open(path, { 'accept-encoding': 'gzip' });
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(zipped.rawPayload.length).toBeLessThan(plain.rawPayload.length);
    expect((await open('/dashboard/assets/other.js')).statusCode).toBe(404);
  });

  const bytesOf = async (names: readonly string[]) => {
    const sizes = await Promise.all(
      names.map(async (name) => {
        const { rawPayload } = await open(`/dashboard/assets/${name}`, { 'accept-encoding': 'gzip' });
        return rawPayload.length;
      }),
    );
    return sizes.reduce((total, size) => total + size, 0);
  };

  test('the first load needs at most 300 kB of script, and 120 kB of styles, gzipped', async () => {
    expect(await bytesOf([bundle.scheme, bundle.main, ...bundle.preloads])).toBeLessThanOrEqual(300_000);
    expect(await bytesOf(bundle.styles)).toBeLessThanOrEqual(120_000);
  });

  test('pages without a person are an app of their own, of few files and 160 kB without the font', async () => {
    const { main, preloads, styles } = bundle.entry;
    const page = await open('/dashboard/sign-in');
    const linked = [...page.body.matchAll(/\/dashboard\/assets\/([\w.-]+)/gu)].map(([, name]) => name);
    expect(linked.toSorted()).toEqual([main, ...preloads, ...styles].toSorted());
    // The page, the font and the options of sign-in are three more.
    expect(linked.length + 3).toBeLessThanOrEqual(10);
    expect(await bytesOf([main, ...preloads, ...styles])).toBeLessThanOrEqual(160_000);
  });

  test('both apps have the styles of every component that they draw', async () => {
    const all = readFileSync(new URL(import.meta.resolve('@mantine/core/styles.layer.css')), 'utf8');
    const classesIn = (text: string) => new Set(text.match(/m_[0-9a-f]{8}/gu));
    const textOf = (names: readonly string[]) =>
      bundle.files
        .filter(({ name }) => names.includes(name))
        .map(({ bytes }) => bytes.toString())
        .join('');
    const { entry } = bundle;
    const scripts = bundle.files.map(({ name }) => name).filter((name) => name.endsWith('.js'));
    for (const [drawn, styles] of [
      [scripts, bundle.styles],
      [[entry.main, ...entry.preloads], entry.styles],
    ] as const) {
      const styled = classesIn(textOf(styles));
      const known = classesIn(all);
      const missing = [...classesIn(textOf(drawn))].filter((name) => known.has(name) && !styled.has(name));
      expect(missing).toEqual([]);
    }
  });
});

test('a start is not slowed by the bundler: it begins once the process is ready', async () => {
  const started = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let builds = 0;
  const waiting = buildApp(runtime, {
    dashboard: {
      buildAfter: started.promise,
      sources: {
        hashInputs: async () => 'after-start',
        bundleBrowserApp: async () => {
          builds += 1;
          begun.resolve();
          return bundle;
        },
      },
    },
  });
  await waiting.listen({ host: '127.0.0.1', port: 0 });
  expect(builds).toBe(0);
  started.resolve();
  await begun.promise;
  await waiting.close();
});
