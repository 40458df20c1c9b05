import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { SiteAnswer } from './site.ts';

interface PageParts {
  readonly title: string;
  readonly text: string;
  readonly links?: readonly string[];
  readonly head?: string;
}

/** A page of the made-up site, with the menu and the banner around it that every page has. */
export function htmlPage({ title, text, links = [], head = '' }: PageParts): string {
  const list = links.map((link) => `<li><a href="${link.replaceAll('&', '&amp;')}">Link</a></li>`).join('');
  return `<!doctype html><html lang="en"><head><title>${title} | Fernhill</title>${head}</head><body>
<nav><a href="/">Home</a></nav><div class="cookie-banner">We use cookies.</div>
<main><h1>${title}</h1><p>${text}</p><ul>${list}</ul></main><footer>Imprint</footer>
<script>token=${Math.random()}</script></body></html>`;
}

/** Links from the start of the site. */
export const trapLinks = [
  '/maze/',
  '/calendar/2026/11',
  '/calendar/2031/01',
  '/shop?color=1',
  '/list?page=1',
  '/session/a',
  '/lost/1',
  '/lost/2',
  '/huge',
  '/huge-html',
  '/round/a',
  '/round/self',
  '/old-page',
  '/away',
  '/internal',
  'http://10.0.0.1/admin',
  'http://169.254.169.254/latest/meta-data/',
  '/slow/1',
  '/same/a',
  '/same/b',
  '/copy',
  '/claims-start',
  '/copy-of-missing',
  '/hidden',
  '/dead-end',
  '/private/notes',
  '/drawn',
  '/files/guide.pdf',
  '/picture.png',
  '/logo',
  '/with-markdown',
  '/busy',
  '/broken',
  '/removed',
  '/forwarded',
];

const handlers: readonly (readonly [RegExp, (path: string, origin: string) => SiteAnswer])[] = [
  // The relative link goes one level deeper each time.
  [/^\/maze\//, (path) => page(`Maze ${path.length}`, `Turn ${path.length} of the maze.`, ['turn/'])],
  [/^\/calendar\//, (path) => calendar(path)],
  // Each filter adds another one; all show the same shop.
  [/^\/shop(?:\?|$)/, () => shop()],
  [/^\/list\?page=/, (path) => list(path)],
  [/^\/session\//, (path) => session(path)],
  [/^\/(?:lost\/|parley-missing)/, () => page('Page not found', 'Sorry, we looked everywhere for it.', [])],
  [/^\/huge-html$/, () => page('Long', '<p>word</p>'.repeat(600_000), [])],
  [/^\/round\/a$/, () => redirect('/round/b')],
  [/^\/round\/b$/, () => redirect('/round/a')],
  [/^\/round\/self$/, () => redirect('/round/self')],
  [/^\/old-page$/, () => redirect('/docs/s1/p1')],
  [
    /^\/forwarded$/,
    () => ({ body: '<html><head><meta http-equiv="refresh" content="0; url=/docs/s1/p2"></head></html>' }),
  ],
  [/^\/away$/, () => redirect('http://elsewhere.example/')],
  [/^\/internal$/, () => redirect('http://10.0.0.1/admin')],
  [/^\/same\/a$/, () => canonical('/same/b', 'One of two pages that name each other.')],
  [/^\/same\/b$/, () => canonical('/same/a', 'One of two pages that name each other.')],
  [/^\/copy$/, () => canonical('/docs/s1/p3', 'Page 3 of section 1 explains itself.')],
  // Its content is its own, whatever it names.
  [/^\/claims-start$/, () => canonical('/', 'The sawmill saws seven trunks an hour, and never on Sundays.')],
  [/^\/copy-of-missing$/, () => canonical('/removed', 'This page names a canonical page that is gone.')],
  [/^\/hidden$/, () => hidden('noindex')],
  [/^\/behind-hidden$/, () => page('Behind', 'Linked by a page that is not indexed.', [])],
  [/^\/dead-end$/, () => hidden('none')],
  [
    /^\/drawn$/,
    () => ({ body: '<html><body><div id="root"></div><script src="/app.js"></script></body></html>' }),
  ],
  [/^\/logo$/, () => ({ headers: { 'content-type': 'image/png' }, body: new Uint8Array([137, 80, 78, 71]) })],
  [/^\/with-markdown$/, () => withMarkdown()],
  [
    /^\/twin\.md$/,
    () => ({ headers: { 'content-type': 'text/markdown' }, body: '# Twin\n\nThe Markdown version.' }),
  ],
  [/^\/broken$/, () => ({ status: 500 })],
  [/^\/removed$/, () => ({ status: 410 })],
  [/^\/busy$/, () => page('Busy', 'An answer at the second attempt.', [])],
];

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) => from + place);

/** Pages that a source may hold besides the 1,000: each trap leaves a bounded number. */
export const trapContent = [
  ...['/maze/', '/maze/turn/', '/maze/turn/turn/'],
  // As many months as links lead to from the start.
  ...['2026/07', '2026/08', '2026/09', '2026/10', '2026/11', '2026/12', '2027/01', '2027/02', '2027/03'].map(
    (month) => `/calendar/${month}`,
  ),
  ...numbers(1, 50).map((number) => `/list?page=${number}`),
  ...[
    '/shop',
    '/session/a',
    '/session/b',
    '/same/a',
    '/claims-start',
    '/copy-of-missing',
    '/behind-hidden',
    '/busy',
  ],
  ...['/files/guide.pdf', '/with-markdown'],
];

/** The outcome of every other trap that is read: its kind, or the code of what is skipped or fails. */
export const trapOutcomes: Readonly<Record<string, string>> = {
  '/lost/1': 'gone',
  '/lost/2': 'gone',
  '/removed': 'gone',
  '/old-page': 'moved',
  '/copy': 'moved',
  '/same/b': 'moved',
  '/forwarded': 'moved',
  '/away': 'other_host',
  '/internal': 'other_host',
  '/hidden': 'noindex',
  '/dead-end': 'noindex',
  '/private/notes': 'robots_disallowed',
  '/logo': 'unsupported_format',
  '/huge': 'too_large',
  '/huge-html': 'too_large',
  '/round/a': 'redirect_loop',
  '/round/self': 'redirect_loop',
  '/slow/1': 'timed_out',
  '/drawn': 'empty_page',
  '/broken': 'http_500',
};

/** Returns the answer of a trap, or null for any other path. */
export function trapAnswer(path: string, origin: string): SiteAnswer | null {
  const handler = handlers.find(([pattern]) => pattern.test(path))?.[1];
  return handler?.(path, origin) ?? null;
}

/** Sends more than a document may have, as fast as it is read. */
export function huge(response: ServerResponse): void {
  const piece = Buffer.alloc(1_000_000, 'x');
  const pieces = Readable.from(Array.from({ length: 30 }, () => piece));
  response.writeHead(200, { 'content-type': 'text/html' });
  // The client goes before the end.
  pipeline(pieces, response, () => undefined);
}

function page(title: string, text: string, links: readonly string[]): SiteAnswer {
  return { body: htmlPage({ title, text, links }) };
}

function redirect(location: string): SiteAnswer {
  return { status: 302, headers: { location } };
}

function calendar(path: string): SiteAnswer {
  const [year = 0, month = 0] = path.split('/').slice(2).map(Number);
  const beside = [-1, 1].map((step) => new Date(Date.UTC(year, month - 1 + step)).toISOString());
  const links = beside.map((date) => `/calendar/${date.slice(0, 4)}/${date.slice(5, 7)}`);
  return page(`Events of ${year} ${month}`, `Nothing happens in month ${month} of ${year}.`, links);
}

function shop(): SiteAnswer {
  const colors = Array.from({ length: 80 }, (_, place) => `/shop?size=2&color=${place}`);
  return {
    body: htmlPage({
      title: 'Shop',
      text: 'Olive trees and fig trees.',
      links: colors,
      head: '<link rel="canonical" href="/shop">',
    }),
  };
}

function list(path: string): SiteAnswer {
  const number = Number(path.split('=')[1]);
  const others = Array.from({ length: 200 }, (_, place) => `/list?page=${place + 1}`);
  return page(`List ${number}`, `Entries of list ${number}.`, others);
}

function session(path: string): SiteAnswer {
  const id = Math.random().toString(36).slice(2);
  const name = path.startsWith('/session/a') ? 'b' : 'a';
  const links = [
    `/session/${name}?PHPSESSID=${id}`,
    `/session/${name};jsessionid=${id}`,
    `/session/${name}?sid=${id}`,
  ];
  return page(`Session ${name}`, `Visited in the session of ${name}.`, links);
}

function canonical(target: string, text: string): SiteAnswer {
  return { body: htmlPage({ title: 'Page', text, head: `<link rel="canonical" href="${target}">` }) };
}

function hidden(directive: string): SiteAnswer {
  const links = directive === 'none' ? ['/behind-dead-end'] : ['/behind-hidden'];
  return {
    body: htmlPage({
      title: 'Hidden',
      text: 'Not for robots.',
      links,
      head: `<meta name="robots" content="${directive}">`,
    }),
  };
}

function withMarkdown(): SiteAnswer {
  const head = '<link rel="alternate" type="text/markdown" href="/twin.md">';
  return { body: htmlPage({ title: 'With Markdown', text: 'The HTML version.', head }) };
}
