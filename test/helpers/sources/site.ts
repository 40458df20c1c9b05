import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { makePdf } from '../documents/make-pdf.ts';
import { htmlPage, huge, trapAnswer, trapLinks } from './site-traps.ts';

const pagesEach = 36;

export interface SiteAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface SiteRequest {
  /** Path with the query. */
  readonly path: string;
  readonly hasConditions: boolean;
  status: number;
}

/** A page's place in the site decides whether it has validators: `ETag`, `Last-Modified`, or neither. */
const validatorKinds = 5;

interface SiteOptions {
  readonly hasTraps?: boolean;
  readonly sections?: number;
}

/**
 * Serves a made-up website of 1,000 pages, or 37 a section, on a free port of this machine, with the traps of
 * `site-traps.ts` unless it is asked for none. It has no sitemap before `offerSitemap`. It listens until it is closed.
 */
export async function openSite({ hasTraps = true, sections = 27 }: SiteOptions = {}) {
  const pages = makePages(sections);
  const versions = new Map<string, number>();
  const requests: SiteRequest[] = [];
  const overrides = new Map<string, SiteAnswer>();
  let offersSitemap = false;
  let origin = '';

  const render = (path: string): SiteAnswer | null => {
    const page = pages.get(path);
    if (page === undefined) return null;
    const version = versions.get(path) ?? 0;
    const links = [...page.links, ...(path === '/' && hasTraps ? trapLinks : [])];
    const body = htmlPage({ title: page.title, text: `${page.text} Edition ${version}.`, links });
    return { body, headers: validatorsOf(page.number, `${path} ${version}`, version) };
  };
  const sitemap = (path: string): SiteAnswer | null => {
    if (!offersSitemap) return null;
    const all = [...pages.keys()].filter((page) => page !== '/');
    const half = all.length / 2;
    const urls = (some: readonly string[]) =>
      some.map((page) => `<url><loc>${origin}${page}</loc>${lastChange(versions.get(page))}</url>`).join('');
    const urlset = (some: readonly string[]) =>
      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls(some)}</urlset>`;
    const headers = { 'content-type': 'application/xml' };
    if (path === '/sitemap.xml') {
      const inner = ['/sitemap-1.xml', '/sitemap-2.xml.gz'].map(
        (name) => `<sitemap><loc>${origin}${name}</loc></sitemap>`,
      );
      return { headers, body: `<sitemapindex>${inner.join('')}</sitemapindex>` };
    }
    if (path === '/sitemap-1.xml') return { headers, body: urlset(['/', ...all.slice(0, half)]) };
    if (path === '/sitemap-2.xml.gz')
      return { headers: { 'content-type': 'application/gzip' }, body: gzipSync(urlset(all.slice(half))) };
    return null;
  };
  const robots = (): SiteAnswer => ({
    headers: { 'content-type': 'text/plain' },
    body: `User-agent: *\nDisallow: /private/\n${offersSitemap ? `Sitemap: ${origin}/sitemap.xml\n` : ''}`,
  });
  const answer = (path: string): SiteAnswer =>
    overrides.get(path) ??
    (path === '/robots.txt' ? robots() : null) ??
    sitemap(path) ??
    render(path) ??
    (hasTraps ? trapAnswer(path, origin) : null) ??
    (path === '/files/guide.pdf' ? pdf() : null) ?? {
      status: 404,
      body: htmlPage({ title: 'Not found', text: 'No such page.' }),
    };

  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const entry: SiteRequest = { path, hasConditions: hasConditions(request), status: 0 };
    requests.push(entry);
    // Answers never; the client gives up.
    if (path.startsWith('/slow/')) return;
    if (path === '/huge') return huge(response);
    entry.status = send(request, response, answer(path));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    /** Addresses of the pages that a source has to hold. */
    wanted: [...pages.keys()].map((path) => origin + path),
    requests,
    address: (path: string) => origin + path,
    change: (path: string) => versions.set(path, (versions.get(path) ?? 0) + 1),
    remove: (path: string) => pages.delete(path),
    /** Answers a path in another way. */
    set: (path: string, other: SiteAnswer) => overrides.set(path, other),
    offerSitemap: () => {
      offersSitemap = true;
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

interface SitePage {
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly links: readonly string[];
}

/** The start, the sections and their pages. */
function makePages(sections: number): Map<string, SitePage> {
  const pages = new Map<string, SitePage>();
  const add = (path: string, title: string, links: readonly string[]) =>
    pages.set(path, {
      number: pages.size,
      title,
      text: `${title} explains itself in ${pages.size + 7} words.`,
      links,
    });
  const numbers = (count: number) => Array.from({ length: count }, (_, place) => place + 1);
  add(
    '/',
    'Fernhill',
    numbers(sections).map((section) => `/docs/s${section}/`),
  );
  for (const section of numbers(sections)) {
    const paths = numbers(pagesEach).map((page) => `/docs/s${section}/p${page}`);
    // The section links to a half only; the other half is found page by page.
    add(`/docs/s${section}/`, `Section ${section}`, ['/', ...paths.filter((_, place) => place % 2 === 0)]);
    paths.forEach((path, place) => {
      add(path, `Page ${place + 1} of section ${section}`, [
        `${paths[place + 1] ?? '/'}?utm_source=next#top`,
        '/',
      ]);
    });
  }
  return pages;
}

function validatorsOf(number: number, content: string, version: number): Record<string, string> {
  const kind = number % validatorKinds;
  if (kind === 0) return {};
  if (kind < 3) return { etag: `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"` };
  return { 'last-modified': new Date(Date.UTC(2026, 0, 1 + version)).toUTCString() };
}

function lastChange(version: number | undefined): string {
  return `<lastmod>2026-01-${String(1 + (version ?? 0)).padStart(2, '0')}T08:00:00Z</lastmod>`;
}

function pdf(): SiteAnswer {
  return {
    headers: { 'content-type': 'application/pdf' },
    body: makePdf('BT /F 12 Tf 50 700 Td (The guide) Tj ET'),
  };
}

function hasConditions({ headers }: IncomingMessage): boolean {
  return headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
}

/** Answers a condition that holds with 304. Returns the status. */
function send(request: IncomingMessage, response: ServerResponse, answer: SiteAnswer): number {
  const { status = 200, headers = {}, body = '' } = answer;
  const sameTag = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag;
  const sameTime =
    headers['last-modified'] !== undefined &&
    request.headers['if-modified-since'] === headers['last-modified'];
  const sent = status === 200 && (sameTag || sameTime) ? 304 : status;
  response.writeHead(sent, { 'content-type': 'text/html; charset=utf-8', ...headers });
  response.end(sent === 304 ? '' : body);
  return sent;
}
