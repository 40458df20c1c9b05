import { expect, test } from 'vitest';
import type { GuardedRequest, GuardedResponse } from '../../../../core/base/http-client.ts';
import { website } from '../../../../core/sources/website/website.ts';
import { SourceBench } from '../../../helpers/sources/source-bench.ts';
import { openTestDatabase } from '../../../helpers/stores/databases/test-databases.ts';

/** `PARLEY_UNCHANGED=10000` for the whole measurement, which is printed. */
const asked = process.env.PARLEY_UNCHANGED;
const pages = Number(asked ?? 140);
const origin = 'https://acme.example';
const dayMs = 24 * 3_600_000;

const database = await openTestDatabase('embedded');

/** A website in memory with a site map and entity tags. */
function openSite() {
  const requests: string[] = [];
  const paths = Array.from({ length: pages }, (_, at) => `/docs/${at}`);
  const list = paths.map((path) => `<url><loc>${origin}${path}</loc><lastmod>2026-01-05</lastmod></url>`);
  const answers: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/robots.txt': ['text/plain', 'User-agent: *\nAllow: /\n'],
    '/sitemap.xml': ['application/xml', `<urlset>${list.join('')}</urlset>`],
  };
  const fetch = async (address: string, { headers = {} }: GuardedRequest): Promise<GuardedResponse> => {
    const { pathname } = new URL(address);
    requests.push(pathname);
    const at = Number(pathname.split('/').at(-1));
    const isPage = paths.includes(pathname);
    const [type, body] = answers[pathname] ?? ['text/html', isPage ? pageOf(at) : ''];
    const etag = `"${at}"`;
    const isSame = isPage && new Headers(headers).get('if-none-match') === etag;
    const status = isSame ? 304 : isPage || pathname in answers ? 200 : 404;
    return {
      ...{ url: address, status },
      headers: new Headers({ 'content-type': type, ...(isPage && { etag }) }),
      bytes: Buffer.from(isSame ? '' : body),
    };
  };
  return { requests, fetch };
}

const pageOf = (at: number) =>
  `<html><head><title>Part ${at}</title></head><body><nav><a href="/docs/1">One</a></nav><main><h1>Part ${at}</h1>${Array.from(
    { length: 30 },
    (_, line) =>
      `<p>Part ${at} of the machine is checked ${at * 31 + line} times before line ${line} opens.</p>`,
  ).join('')}</main></body></html>`;

test('a run of unchanged pages costs its share of a week in requests', {
  timeout: 3_600_000,
}, async () => {
  const bench = new SourceBench(database, [website]);
  const site = openSite();
  const workspaceId = await bench.workspace();
  const options = { kind: 'website', settings: { url: `${origin}/sitemap.xml` }, credentials: {} };
  const id = await bench.create(workspaceId, { ...options, maxItems: 20_000, scheduleMinutes: 1_440 });
  const measure = async () => {
    site.requests.length = 0;
    const began = process.cpuUsage();
    await bench.run(workspaceId, id, { fetch: site.fetch, wait: async () => {} });
    const { user, system } = process.cpuUsage(began);
    return { requests: site.requests.length, cpu: (user + system) / 1e6 };
  };
  const first = await measure();
  await bench.index(workspaceId);
  // Pages that were cut before the template was known are read once more.
  await measure();
  bench.now = new Date(bench.now.getTime() + dayMs);
  const later = await measure();
  const { counts } = await bench.lastRun(workspaceId, id);
  expect(counts).toMatchObject({ listed: pages, unchanged: pages, changed: 0, failed: 0 });
  if (asked !== undefined) {
    process.stderr.write(
      `${pages} pages: first run ${first.requests} requests, ${first.cpu.toFixed(1)} s; unchanged ${later.requests} requests (${(later.requests / first.requests).toFixed(3)}), ${later.cpu.toFixed(1)} s (${(later.cpu / first.cpu).toFixed(3)})\n`,
    );
    expect(later.cpu / first.cpu).toBeLessThan(0.1);
  }
  expect(later.requests / first.requests).toBeLessThan(1 / 7 + 0.1);
});
