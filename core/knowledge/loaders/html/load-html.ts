import { BlockCollector } from '../block-collector.ts';
import type { LoadedDocument, LoadingLimits } from '../loader.ts';
import { detectTitle, parseWebAddress } from '../metadata.ts';
import {
  countTextCharacters,
  findElement,
  getAttribute,
  type HtmlElement,
  type HtmlParent,
  parseHtml,
} from './parse-html.ts';
import { pruneTree } from './prune.ts';
import { collectBlocks } from './walk-blocks.ts';

/** Reads the main content of an HTML page. Throws a DocumentError. */
export function loadHtml(html: string, limits: LoadingLimits): LoadedDocument {
  const page = parseHtml(html);
  const stated = parsePageMetadata(page);
  pruneTree(page, { keepLandmarks: false });
  const collector = new BlockCollector(limits);
  if (countTextCharacters(page) > 0) collectBlocks(findMainContent(page), collector);
  else collectBlocks(wholePage(html), collector);
  return detectTitle(collector, stated);
}

function wholePage(html: string): ReturnType<typeof parseHtml> {
  const page = parseHtml(html);
  pruneTree(page, { keepLandmarks: true });
  return page;
}

/** What a page's head says about it. To be read before the page is pruned. */
function parsePageMetadata(page: HtmlParent): {
  readonly title: string | null;
  readonly url: string | null;
} {
  const titleElement = findElement(
    page,
    ({ tagName, namespaceURI }) => tagName === 'title' && /xhtml$/.test(namespaceURI),
  );
  const titleText = titleElement?.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
  const canonical = findElement(
    page,
    (element) => element.tagName === 'link' && getAttribute(element, 'rel') === 'canonical',
  );
  return {
    title: titleText?.trim() || metaContent(page, 'og:title'),
    url:
      parseWebAddress(canonical === null ? null : getAttribute(canonical, 'href')) ??
      parseWebAddress(metaContent(page, 'og:url')),
  };
}

function metaContent(page: HtmlParent, property: string): string | null {
  const named = (element: HtmlElement): boolean =>
    element.tagName === 'meta' &&
    [getAttribute(element, 'property'), getAttribute(element, 'name')].includes(property);
  const meta = findElement(page, named);
  return meta === null ? null : getAttribute(meta, 'content')?.trim() || null;
}

/** A `main` with less of the page's text than this is a shell that scripts would fill, or marks up something else. */
const MIN_SHARE = 0.25;

/** The part of a pruned page that holds what it is about: its main element, its only article, or all of it. */
function findMainContent(page: HtmlParent): HtmlParent {
  const candidate = findElement(page, isMain) ?? onlyArticle(page);
  return candidate !== null && countTextCharacters(candidate) >= countTextCharacters(page) * MIN_SHARE
    ? candidate
    : page;
}

function isMain(element: HtmlElement): boolean {
  return element.tagName === 'main' || getAttribute(element, 'role') === 'main';
}

function onlyArticle(page: HtmlParent): HtmlElement | null {
  const articles: HtmlElement[] = [];
  findElement(page, (element) => {
    if (element.tagName === 'article') articles.push(element);
    return articles.length > 1;
  });
  const [article, other] = articles;
  return article !== undefined && other === undefined ? article : null;
}
