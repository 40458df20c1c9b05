import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { DocumentError } from '../../documents/document-error.ts';

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

/** Browsers have a similar limit (512). Without one the parser's time grows with the square of the depth. */
const MAX_DEPTH = 600;

/**
 * Parses a page or a fragment as browsers do (HTML standard). Throws `nested_too_deeply`, or `too_large` for more than
 * `maxElements`: unclosed formatting repeats itself in each paragraph, so that a small page can have millions.
 */
export function parseHtml(html: string, maxElements = Infinity): DefaultTreeAdapterTypes.Document {
  let depth = 0;
  let elements = 0;
  return parse(html, {
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(tagName, namespace, attributes) {
        elements += 1;
        if (elements > maxElements) {
          throw new DocumentError('too_large', `${maxElements.toLocaleString('en')} elements`);
        }
        return defaultTreeAdapter.createElement(tagName, namespace, attributes);
      },
      onItemPush() {
        depth += 1;
        if (depth > MAX_DEPTH) throw new DocumentError('nested_too_deeply');
      },
      onItemPop() {
        depth -= 1;
      },
    },
  });
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

export function getAttribute(element: HtmlElement, name: string): string | null {
  return element.attrs.find((attribute) => attribute.name === name)?.value ?? null;
}

/** Returns the first matching element, depth-first in document order, or null. */
export function findElement(
  root: HtmlParent,
  matches: (element: HtmlElement) => boolean,
): HtmlElement | null {
  for (const node of root.childNodes) {
    if (!isElement(node)) continue;
    const found = matches(node) ? node : findElement(node, matches);
    if (found !== null) return found;
  }
  return null;
}

/** Counts the characters of text under a node without scripts and styles, to compare parts of a page. */
export function countTextCharacters(parent: HtmlParent): number {
  let length = 0;
  for (const node of parent.childNodes) {
    if ('value' in node) length += node.value.trim().length;
    else if (isElement(node) && node.tagName !== 'script' && node.tagName !== 'style')
      length += countTextCharacters(node);
  }
  return length;
}

const NON_TEXT_ELEMENTS = new Set(
  `annotation audio canvas datalist embed head iframe input link meta meter noembed noframes noscript object option
  progress rp rt script select style svg template textarea title video`.split(/\s+/),
);
const LANDMARK_ROLES: ReadonlyMap<string, PruneReason> = new Map([
  ['navigation', 'menu'],
  ['banner', 'header'],
  ['contentinfo', 'footer'],
  ['search', 'form'],
  ['complementary', 'aside'],
  ['dialog', 'dialog'],
  ['menu', 'menu'],
  ['menubar', 'menu'],
]);
const NOTE = /\b(?:admonition|alert|callout|caution|danger|hint|important|info|note|tip|warning)\b/i;
const SCREEN_READER_ONLY = /(?:^|\s)(?:sr-only|visually-hidden|visuallyhidden|screen-reader-text)(?:\s|$)/;
export const HIDING_STYLE = /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const CONTENT_ELEMENTS = new Set(['main', 'article', 'section']);
const TITLE_ELEMENTS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'summary', 'dt']);
/** A form with at least this share of the text is kept: some frameworks wrap the whole page in a form. */
const WHOLE_PAGE_SHARE = 0.5;

/** `control`: buttons, permalinks and what holds no text. */
export type PruneReason = 'menu' | 'header' | 'footer' | 'aside' | 'form' | 'dialog' | 'hidden' | 'control';

interface PruneOptions {
  /** Keeps navigation, page header and footer, asides and forms, for pages that have text nowhere else. */
  readonly keepLandmarks: boolean;
  readonly onCut?: (element: HtmlElement, reason: PruneReason) => void;
}

/** Removes elements that readers do not see, and (unless kept) parts that belong to the site instead of the page. */
export function pruneTree(root: HtmlParent, { keepLandmarks, onCut }: PruneOptions): void {
  const pageLength = countTextCharacters(root);
  const reasonFor = (element: HtmlElement): PruneReason | null => {
    if (NON_TEXT_ELEMENTS.has(element.tagName) || isInPageLink(element)) return 'control';
    if (isHidden(element)) return 'hidden';
    return keepLandmarks ? null : landmarkOf(element, pageLength);
  };
  const isKept = (node: HtmlNode): boolean => {
    if (!isElement(node)) return node.nodeName === '#text';
    const reason = reasonFor(node);
    if (reason !== null) onCut?.(node, reason);
    return reason === null;
  };
  const visit = (parent: HtmlParent): void => {
    parent.childNodes = parent.childNodes.filter(isKept);
    for (const node of parent.childNodes) if (isElement(node)) visit(node);
  };
  visit(root);
}

/** True for what a browser does not show. `openPanels` shows before what a visitor can open. */
export function isHidden(element: HtmlElement): boolean {
  // Pages with a fade-in are hidden completely until a script has run.
  if (element.tagName === 'html' || element.tagName === 'body') return false;
  const hidden = getAttribute(element, 'hidden');
  if (hidden !== null && hidden !== 'until-found') return true;
  if (getAttribute(element, 'aria-hidden') === 'true') return true;
  if (HIDING_STYLE.test(getAttribute(element, 'style') ?? '')) return true;
  return SCREEN_READER_ONLY.test(getAttribute(element, 'class') ?? '');
}

/** True for permalinks of headings, footnote numbers, back arrows and skip links. */
function isInPageLink(element: HtmlElement): boolean {
  const link = element.tagName === 'sup' ? findElement(element, ({ tagName }) => tagName === 'a') : element;
  if (link?.tagName !== 'a' || getAttribute(link, 'href')?.startsWith('#') !== true) return false;
  const text = plainText(link);
  return element.tagName === 'sup'
    ? /^\W*\d+\W*$/.test(text)
    : /^[^\p{L}\p{N}]*$|^(?:skip|jump) to /iu.test(text);
}

/** Returns what of the site an element is; null if it belongs to the page. */
function landmarkOf(element: HtmlElement, pageLength: number): PruneReason | null {
  const role = getAttribute(element, 'role') ?? '';
  const byRole = LANDMARK_ROLES.get(role);
  if (byRole !== undefined) return byRole;
  const when = (isSite: boolean, reason: PruneReason) => (isSite ? reason : null);
  switch (element.tagName) {
    case 'nav':
    case 'menu':
      return 'menu';
    case 'footer':
    case 'dialog':
      return element.tagName;
    case 'header':
      return when(!hasAncestor(element, CONTENT_ELEMENTS) && !isTitleOfContent(element), 'header');
    case 'aside':
      return when(role !== 'note' && !NOTE.test(getAttribute(element, 'class') ?? ''), 'aside');
    case 'form':
      return when(countTextCharacters(element) < pageLength * WHOLE_PAGE_SHARE, 'form');
    case 'button':
      return when(!hasAncestor(element, TITLE_ELEMENTS), 'control');
    default:
      return null;
  }
}

/** A header with a heading and without a menu is the top of the content, on pages that mark no `main` or `article`. */
function isTitleOfContent(header: HtmlElement): boolean {
  const holds = (matches: (element: HtmlElement) => boolean) => findElement(header, matches) !== null;
  return (
    holds(({ tagName }) => tagName === 'h1') &&
    !holds(
      (element) =>
        ['nav', 'form', 'input'].includes(element.tagName) ||
        LANDMARK_ROLES.has(getAttribute(element, 'role') ?? ''),
    ) &&
    countLinks(header) < 3
  );
}

function countLinks(parent: HtmlParent): number {
  let count = 0;
  findElement(parent, ({ tagName }) => {
    if (tagName === 'a') count += 1;
    return false;
  });
  return count;
}

function hasAncestor(element: HtmlElement, tags: ReadonlySet<string>): boolean {
  for (
    let parent = element.parentNode;
    parent !== null;
    parent = 'parentNode' in parent ? parent.parentNode : null
  ) {
    if ('tagName' in parent && tags.has(parent.tagName)) return true;
  }
  return false;
}

function plainText(node: HtmlNode): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(plainText).join('').trim() : '';
}
