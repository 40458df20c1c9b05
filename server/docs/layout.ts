import { createHash } from 'node:crypto';
import { type Element, element, renderDocument } from '../pages/html.ts';
import type { DocsAssets } from './assets.ts';
import { type DocsLibrary, type DocsPage, relativeAddress } from './library.ts';
import { renderDocsMarkdown } from './render-markdown.ts';
import type { SearchResult } from './search.ts';

export interface DocsSite {
  readonly library: DocsLibrary;
  readonly assets: DocsAssets;
}

interface Frame {
  /** The path of the page, below /docs. */
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  readonly article: readonly Element[];
  /** The table of contents, beside the article. */
  readonly contents?: Element;
  /** The text in the search field. */
  readonly query?: string;
}

/** Written into the page, so that it is dark from the first moment where the reader's system is. */
const firstStyle = ':root{color-scheme:light dark}';
const firstStyleHash = createHash('sha256').update(firstStyle).digest('base64');

/** Lets a page load what this server serves, and nothing else. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'sha256-${firstStyleHash}'`,
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const indexPath = 'guide';
const searchPath = 'search';
/** The API reference is the page /docs itself, one level above the others. */
const referencePath = '';
const tocDepth = 3;

/** A page of the documentation. */
export function renderPage(page: DocsPage, site: DocsSite): string {
  const { pages } = site.library;
  const place = pages.indexOf(page);
  const resolveLink = (link: string) => site.library.resolveLink(link, page);
  return renderFrame(site, {
    ...page,
    title: `${page.title} · Parley`,
    article: [
      element('p', { class: 'group' }, [page.group]),
      element('div', { class: 'prose' }, renderDocsMarkdown(page.tree.children, { resolveLink })),
      renderNeighbours(page, { previous: pages[place - 1], next: pages[place + 1] }),
    ],
    contents: renderContents(page),
  });
}

/** The first page of the documentation: what there is to read. */
export function renderIndex(site: DocsSite): string {
  const groups = [...site.library.groups()].map(([group, pages]) =>
    element('section', { id: group.toLowerCase().replaceAll(' ', '-') }, [
      element('h2', {}, [group]),
      element(
        'ul',
        { class: 'cards' },
        pages.map((page) => renderCard(relativeAddress(indexPath, page.path), page)),
      ),
    ]),
  );
  const reference = element('section', { id: 'reference' }, [
    element('h2', {}, ['Reference']),
    element('ul', { class: 'cards' }, [
      renderCard(relativeAddress(indexPath, referencePath), {
        title: 'API reference',
        summary: 'Every call of the REST API with its fields and answers, made from the OpenAPI description.',
      }),
    ]),
  ]);
  return renderFrame(site, {
    path: indexPath,
    title: 'Parley documentation',
    summary: 'Guides, the set-up of each channel and the API reference of Parley.',
    article: [
      element('h1', {}, ['Parley documentation']),
      element('p', { class: 'lead' }, [
        'One answering engine behind a REST API and every channel. These pages belong to the version that this server runs.',
      ]),
      ...groups,
      reference,
    ],
  });
}

interface Search {
  readonly query: string;
  readonly results: readonly SearchResult[];
}

/** The results of a search, as a page that needs no script. */
export function renderSearch({ query, results }: Search, site: DocsSite): string {
  const count = results.length === 1 ? '1 section' : `${results.length} sections`;
  const outcome = query === '' ? 'Enter a word to search for.' : `${count} for “${query}”`;
  const items = results.map(({ title, heading, address, snippet }) =>
    element('li', {}, [
      element('a', { href: relativeAddress(searchPath, address) }, [
        heading === null ? title : `${title} › ${heading}`,
      ]),
      element(
        'p',
        {},
        snippet.map(({ text, match }) => (match ? element('mark', {}, [text]) : text)),
      ),
    ]),
  );
  return renderFrame(site, {
    path: searchPath,
    title: query === '' ? 'Search · Parley' : `${query} · Search · Parley`,
    summary: 'Search in the documentation of Parley.',
    query,
    article: [
      element('h1', {}, ['Search']),
      element('p', { class: 'lead' }, [outcome]),
      element('ol', { class: 'results' }, items),
    ],
  });
}

function renderFrame(site: DocsSite, { path, title, summary, article, contents, query }: Frame): string {
  const { style, script } = site.assets;
  const to = (target: string) => relativeAddress(path, target);
  const { html } = renderDocument({
    title,
    language: 'en',
    direction: 'ltr',
    style: firstStyle,
    head: [
      element('meta', { name: 'description', content: summary }, []),
      element('link', { rel: 'stylesheet', href: to(`assets/${style.name}`) }, []),
      element('script', { type: 'module', src: to(`assets/${script.name}`) }, []),
    ],
    body: [
      element('a', { class: 'skip', href: '#content' }, ['Skip to the content']),
      element('header', { class: 'top' }, [
        element('a', { class: 'brand', href: to(indexPath) }, ['Parley ', element('span', {}, ['Docs'])]),
        renderSearchForm(to(searchPath), query ?? ''),
        element('a', { class: 'reference', href: to(referencePath) }, ['API reference']),
      ]),
      element('details', { class: 'menu' }, [
        element('summary', {}, ['Menu']),
        element('nav', { 'aria-label': 'Pages, as a menu' }, renderNavigation(site.library, path)),
      ]),
      element('div', { class: contents === undefined ? 'columns wide' : 'columns' }, [
        element('nav', { class: 'side', 'aria-label': 'Pages' }, renderNavigation(site.library, path)),
        element('main', { id: 'content' }, article),
        ...(contents === undefined ? [] : [contents]),
      ]),
    ],
  });
  return html;
}

function renderSearchForm(address: string, query: string): Element {
  const field = {
    type: 'search',
    name: 'q',
    value: query,
    placeholder: 'Search the documentation',
    'aria-label': 'Search the documentation',
    autocomplete: 'off',
    maxlength: '200',
  };
  return element('form', { class: 'search', role: 'search', action: address, method: 'get' }, [
    element('input', field, []),
    element('div', { class: 'hits', hidden: '' }, []),
  ]);
}

function renderNavigation(library: DocsLibrary, path: string): readonly Element[] {
  const groups = [...library.groups()].flatMap(([group, pages]) => [
    element('p', {}, [group]),
    element(
      'ul',
      {},
      pages.map((page) => renderNavigationItem(page, path)),
    ),
  ]);
  const reference = element('a', { href: relativeAddress(path, referencePath) }, ['API reference']);
  return [...groups, element('p', {}, ['Reference']), element('ul', {}, [element('li', {}, [reference])])];
}

function renderNavigationItem(page: DocsPage, path: string): Element {
  const href = relativeAddress(path, page.path);
  const current: Record<string, string> = page.path === path ? { 'aria-current': 'page' } : {};
  return element('li', {}, [element('a', { href, ...current }, [page.title])]);
}

function renderContents({ headings }: DocsPage): Element {
  const items = headings
    .filter(({ depth }) => depth <= tocDepth)
    .map(({ depth, text, anchor }) =>
      element('li', { class: `depth-${depth}` }, [element('a', { href: `#${anchor}` }, [text])]),
    );
  return element('aside', { class: 'contents', 'aria-label': 'On this page' }, [
    element('p', {}, ['On this page']),
    element('ul', {}, items),
  ]);
}

interface Neighbours {
  readonly previous: DocsPage | undefined;
  readonly next: DocsPage | undefined;
}

function renderNeighbours({ path }: DocsPage, { previous, next }: Neighbours): Element {
  const renderLink = (page: DocsPage | undefined, rel: 'prev' | 'next') =>
    page === undefined
      ? []
      : [
          element('a', { class: rel, rel, href: relativeAddress(path, page.path) }, [
            element('span', {}, [rel === 'prev' ? 'Previous' : 'Next']),
            page.title,
          ]),
        ];
  return element('nav', { class: 'neighbours', 'aria-label': 'Previous and next page' }, [
    ...renderLink(previous, 'prev'),
    ...renderLink(next, 'next'),
  ]);
}

function renderCard(href: string, { title, summary }: Pick<DocsPage, 'title' | 'summary'>): Element {
  return element('li', {}, [
    element('a', { href }, [element('strong', {}, [title]), element('span', {}, [summary])]),
  ]);
}
