import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { findViolations } from '../../helpers/servers/browser/find-violations.ts';
import { chromiumPath, openBrowser } from '../../helpers/servers/browser/open-browser.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const { app } = await openTestServer();
const get = (url: string) => app.inject({ method: 'GET', url });
const page = await get('/docs');
const policy = String(page.headers['content-security-policy']);
const directives = new Map(
  policy.split('; ').map((directive) => {
    const [name = '', ...sources] = directive.split(' ');
    return [name, sources] as const;
  }),
);

test('the reference is a page that needs no key', () => {
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.body).toContain('<title>Parley API</title>');
  expect(page.body).toContain('<html lang="en">');
});

test.each(['/docs/', '/docs/reference'])('%s redirects to the reference', async (address) => {
  const { statusCode, headers } = await get(address);
  expect([statusCode, headers.location]).toEqual([308, '../docs']);
});

test('the reference links to the guides, the channels and the search', async () => {
  for (const address of ['./docs/guide', './docs/guide#channels', './docs/search']) {
    expect(page.body).toContain(`href="${address}"`);
  }
});

test('every address in the page is of this server', async () => {
  expect(page.body).not.toMatch(/(https?:)?\/\/[a-z0-9]/i);
  const named = [...page.body.matchAll(/(?:src="|"url": ")\.([^"]+)/g)].flatMap((match) => match[1] ?? []);
  expect(named).toEqual(['/docs/scalar.js', '/openapi.json']);
  for (const url of named) expect((await get(url)).statusCode, url).toBe(200);
});

test('the policy of the page permits its own scripts and nothing of other servers', () => {
  const own = ["'self'", "'none'", "'unsafe-inline'", 'data:'];
  const [, inline = ''] = /<script type="text\/javascript">([^<]+)<\/script>/.exec(page.body) ?? [];
  const hash = `'sha256-${createHash('sha256').update(inline).digest('base64')}'`;
  expect(directives.get('default-src')).toEqual(["'none'"]);
  expect(directives.get('script-src')).toEqual(["'self'", hash]);
  expect(directives.get('connect-src')).toEqual(["'self'"]);
  const foreign = [...directives.values()].flat().filter((source) => !own.includes(source));
  expect(foreign).toEqual([hash]);
});

test('features that call other servers are switched off', () => {
  for (const option of ['"withDefaultFonts": false', '"telemetry": false', '"proxyUrl": ""']) {
    expect(page.body).toContain(option);
  }
});

test('browsers may cache the script for a day', async () => {
  const { headers, body } = await get('/docs/scalar.js');
  expect([headers['content-type'], headers['cache-control']]).toEqual([
    'text/javascript; charset=utf-8',
    'public, max-age=86400',
  ]);
  expect(body).toContain('createApiReference');
});

test.skipIf(chromiumPath === undefined)('every text of the page has enough contrast', async () => {
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const browser = await openBrowser();
  const opened = await browser.newPage();
  await opened.goto(`${address}/docs`);
  await opened.locator('.endpoint-method').first().waitFor();
  expect(await findViolations(opened, { runOnly: ['color-contrast', 'html-has-lang'] })).toEqual([]);
  await browser.close();
});
