import {
  countTextCharacters,
  findElement,
  getAttribute,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
} from './parse-html.ts';

const UNREADABLE = new Set(
  `annotation audio canvas datalist embed head iframe input link meta meter noembed noframes noscript object option
  progress rp rt script select style svg template textarea title video`.split(/\s+/),
);
const LANDMARK_ROLES = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'search',
  'complementary',
  'dialog',
  'menu',
  'menubar',
]);
const NOTE = /\b(?:admonition|alert|callout|caution|danger|hint|important|info|note|tip|warning)\b/i;
const SCREEN_READER_ONLY = /(?:^|\s)(?:sr-only|visually-hidden|visuallyhidden|screen-reader-text)(?:\s|$)/;
const HIDING_STYLE = /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const CONTENT = new Set(['main', 'article', 'section']);
const TITLES = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'summary', 'dt']);
/** A form that holds this share of the page is the page: some frameworks wrap everything in one. */
const WHOLE_PAGE_SHARE = 0.5;

interface PruneOptions {
  /** Keeps navigation, page header and footer, asides and forms: for a page that has its text nowhere else. */
  readonly keepLandmarks: boolean;
}

/** Takes out of the tree what no reader sees or what is the site's and not the page's. */
export function pruneTree(root: HtmlParent, { keepLandmarks }: PruneOptions): void {
  const disclosed = findDisclosedIds(root);
  const pageLength = countTextCharacters(root);
  const keeps = (node: HtmlNode): boolean => {
    if (!isElement(node)) return node.nodeName === '#text';
    if (UNREADABLE.has(node.tagName) || isHidden(node, disclosed) || isInPageLink(node)) return false;
    return keepLandmarks || !isLandmark(node, pageLength);
  };
  const visit = (parent: HtmlParent): void => {
    parent.childNodes = parent.childNodes.filter(keeps);
    for (const node of parent.childNodes) if (isElement(node)) visit(node);
  };
  visit(root);
}

/** What a button on the page opens is hidden only until a reader asks for it. */
function findDisclosedIds(root: HtmlParent): ReadonlySet<string> {
  const ids = new Set<string>();
  findElement(root, (element) => {
    for (const id of getAttribute(element, 'aria-controls')?.split(/\s+/) ?? []) ids.add(id);
    return false;
  });
  return ids;
}

function isHidden(element: HtmlElement, disclosed: ReadonlySet<string>): boolean {
  // Pages that fade in are hidden as a whole until a script has run.
  if (element.tagName === 'html' || element.tagName === 'body') return false;
  if (disclosed.has(getAttribute(element, 'id') ?? '')) return false;
  const hidden = getAttribute(element, 'hidden');
  if (hidden !== null && hidden !== 'until-found') return true;
  if (getAttribute(element, 'aria-hidden') === 'true') return true;
  if (HIDING_STYLE.test(getAttribute(element, 'style') ?? '')) return true;
  return SCREEN_READER_ONLY.test(getAttribute(element, 'class') ?? '');
}

/** Links that only point within the page: permalinks of headings, footnote numbers and the arrows back. */
function isInPageLink(element: HtmlElement): boolean {
  const link = element.tagName === 'sup' ? findElement(element, ({ tagName }) => tagName === 'a') : element;
  if (link?.tagName !== 'a' || getAttribute(link, 'href')?.startsWith('#') !== true) return false;
  const text = plainText(link);
  return element.tagName === 'sup'
    ? /^\W*\d+\W*$/.test(text)
    : /^[^\p{L}\p{N}]*$|^(?:skip|jump) to /iu.test(text);
}

function isLandmark(element: HtmlElement, pageLength: number): boolean {
  const role = getAttribute(element, 'role') ?? '';
  if (LANDMARK_ROLES.has(role)) return true;
  switch (element.tagName) {
    case 'nav':
    case 'footer':
    case 'dialog':
    case 'menu':
      return true;
    case 'header':
      return !hasAncestor(element, CONTENT);
    case 'aside':
      return role !== 'note' && !NOTE.test(getAttribute(element, 'class') ?? '');
    case 'form':
      return countTextCharacters(element) < pageLength * WHOLE_PAGE_SHARE;
    case 'button':
      return !hasAncestor(element, TITLES) && getAttribute(element, 'aria-controls') === null;
    default:
      return false;
  }
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
