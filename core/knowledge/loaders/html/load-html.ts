/**
 * Documents' HTML is read by our own walker on parse5 (the files of this folder), not by a library:
 * - Passages are cut along structure, so a block must keep its kind and its heading path. Headings become the path of
 *   the blocks below them, each table row becomes a line `column: value; column: value` that makes sense when quoted
 *   alone (also with `rowspan` and `colspan`), and lists keep their markers, numbers and nesting.
 * - Readability returns the article as HTML and decides by scores which parts to drop; the walk would still be needed.
 *   turndown returns Markdown, which has no table cells that span rows and would have to be parsed again.
 * - The Word and Markdown loaders convert to HTML and share this walk, so all three formats give the same blocks.
 * The choice is measured only as a whole: `npm run eval` rates answers, not blocks, and was never run with one of those
 * libraries. A replacement has to reach the same figures there.
 */
import { BlockCollector } from '../block-collector.ts';
import type { LoadedDocument, LoadingLimits } from '../loader.ts';
import { detectTitle, parseWebAddress } from '../metadata.ts';
import { openPanels } from './open-panels.ts';
import {
  countTextCharacters,
  findElement,
  getAttribute,
  type HtmlElement,
  type HtmlParent,
  parseHtml,
  pruneTree,
} from './parse-html.ts';
import { appendStatedParts, readStructuredData } from './structured-data.ts';
import { collectBlocks } from './walk-blocks.ts';

/** Reads the main content of an HTML page; the whole page if nothing else has text. Throws a DocumentError. */
export function loadHtml(html: string, limits: LoadingLimits): LoadedDocument {
  const page = parseHtml(html);
  const stated = parsePageMetadata(page);
  const parts = readStructuredData(page);
  openPanels(page);
  pruneTree(page, { keepLandmarks: false });
  const collector = new BlockCollector(limits);
  const content = countTextCharacters(page) > 0 ? findMainContent(page) : parseWholePage(html);
  appendStatedParts(content, parts);
  collectBlocks(content, collector);
  return detectTitle(collector, stated);
}

function parseWholePage(html: string): ReturnType<typeof parseHtml> {
  const page = parseHtml(html);
  pruneTree(page, { keepLandmarks: true });
  return page;
}

/** Reads title and canonical URL from a page's head. It must run before the page is pruned, which removes the head. */
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

/** A `main` with a smaller share of the page's text is a shell that scripts fill, or is misused. */
const MIN_MAIN_SHARE = 0.25;

/** Returns the part of a pruned page with its content: the main element, the only article, or the whole page. */
export function findMainContent(page: HtmlParent): HtmlParent {
  const candidate = findElement(page, isMain) ?? onlyArticle(page);
  return candidate !== null && countTextCharacters(candidate) >= countTextCharacters(page) * MIN_MAIN_SHARE
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
