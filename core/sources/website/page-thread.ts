import { serveThread } from '../../contract/threads.ts';
import { DocumentError } from '../../knowledge/documents/document-error.ts';
import { declaredEncoding } from '../../knowledge/loaders/declared-format.ts';
import { decodeText } from '../../knowledge/loaders/decode-text.ts';
import {
  countTextCharacters,
  getAttribute,
  type HtmlElement,
  type HtmlParent,
  isElement,
  parseHtml,
} from '../../knowledge/loaders/html/parse-html.ts';
import { isOtherFile, normaliseAddress } from './address.ts';
import { keepMainContent, setLanguage, textUnder } from './main-content.ts';
import type { Page, PageReply, PageRequest, TreeRequest } from './page.ts';
import { combineDirectives } from './requests/robots.ts';
import { packTree, unpackTree } from './tree/page-tree.ts';

const MAX_LINKS = 2_000;
const MAX_FEEDS = 10;
const MAX_ANCHORS = 10_000;
/** Cutting a page with twice as many takes a second of processor time. */
const MAX_ELEMENTS = 100_000;

/** The number of characters that are compared with the answer to a missing page. */
const MAX_TEXT = 100_000;

interface Facts {
  readonly metas: HtmlElement[];
  readonly linkElements: HtmlElement[];
  readonly anchors: HtmlElement[];
  readonly headings: string[];
  readonly noscripts: string[];
  base: string | null;
  title: string | null;
  siteName: string | null;
  language: string | null;
  scripts: number;
  hasRoot: boolean;
}

/** Handles a request in the parsing thread. */
function answer(request: PageRequest | TreeRequest): PageReply {
  try {
    return request.kind === 'page' ? { kind: 'page', page: parsePage(request) } : cutTree(request);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { kind: 'refused', code: error.code, reason: error.reason };
  }
}

function cutTree({ tree, cut, rules, hasLedger }: TreeRequest): PageReply {
  const { html, ledger, ...left } = keepMainContent(unpackTree(tree), { cut, rules, hasLedger });
  return { kind: 'cut', cut: { ...left, content: html }, ledger };
}

/** Throws a DocumentError if the page is too large or nested too deeply. */
function parsePage({ bytes, address, contentType, language, cut, rules }: PageRequest): Page {
  const tree = parseHtml(decodeText(bytes, declaredEncoding(contentType)), MAX_ELEMENTS);
  const facts: Facts = {
    metas: [],
    linkElements: [],
    anchors: [],
    headings: [],
    noscripts: [],
    base: null,
    title: null,
    siteName: null,
    language: null,
    scripts: 0,
    hasRoot: false,
  };
  collect(tree, facts);
  const base = URL.parse(facts.base ?? '', address)?.href ?? address;
  const resolve = (href: string | null): string | null =>
    href === null || href.trim() === '' ? null : normaliseAddress(href, base);
  const linked = (matches: (element: HtmlElement) => boolean): string | null => {
    const link = facts.linkElements.find(matches);
    return link === undefined ? null : resolve(getAttribute(link, 'href'));
  };
  const described = {
    title: titleOf(facts),
    canonical: linked((link) => relations(link).includes('canonical')),
    directives: combineDirectives(
      facts.metas.filter(isRobotsMeta).map((meta) => getAttribute(meta, 'content') ?? ''),
    ),
    refresh: resolve(refreshTarget(facts.metas)),
    markdown: linked((link) => isAlternate(link, /^text\/(?:x-)?markdown\b/i)),
    feeds: collectLinks(facts.linkElements.filter(isFeedLink), resolve, MAX_FEEDS),
    links: collectLinks(facts.anchors.filter(isFollowed), resolve, MAX_LINKS),
    isDrawnByScript: isDrawnByScript(facts, countTextCharacters(tree)),
  };
  // Both change the tree, so they come last.
  setLanguage(tree, facts.language ?? language);
  const packed = packTree(tree);
  const { html, ledger: _, ...left } = keepMainContent(tree, { cut, rules });
  return { ...described, ...left, content: html, tree: packed, text: textUnder(tree).slice(0, MAX_TEXT) };
}

function collect(parent: HtmlParent, facts: Facts): void {
  for (const node of parent.childNodes) {
    if (!isElement(node)) continue;
    note(node, facts);
    collect(node, facts);
  }
}

const ROOT_IDS = /^(?:root|app|__next|__nuxt|___gatsby|svelte|main-app|application|app-root|q-app)$/i;

function note(element: HtmlElement, facts: Facts): void {
  switch (element.tagName) {
    case 'html':
      facts.language ??= getAttribute(element, 'lang') || null;
      return;
    case 'base':
      facts.base ??= getAttribute(element, 'href');
      return;
    case 'title':
      facts.title ??= textUnder(element).trim() || null;
      return;
    case 'meta':
      facts.metas.push(element);
      if (getAttribute(element, 'property') === 'og:site_name')
        facts.siteName ??= getAttribute(element, 'content');
      return;
    case 'link':
      facts.linkElements.push(element);
      return;
    case 'a':
    case 'area':
      facts.anchors.push(element);
      return;
    case 'h1':
      facts.headings.push(textUnder(element).replace(/\s+/g, ' ').trim());
      return;
    case 'script':
      facts.scripts += 1;
      return;
    case 'noscript':
      facts.noscripts.push(textUnder(element));
      return;
    default:
      if (ROOT_IDS.test(getAttribute(element, 'id') ?? '') || element.tagName === 'app-root')
        facts.hasRoot = true;
  }
}

function relations(link: HtmlElement): readonly string[] {
  return (getAttribute(link, 'rel') ?? '').toLowerCase().split(/\s+/);
}

function isAlternate(link: HtmlElement, type: RegExp): boolean {
  return relations(link).includes('alternate') && type.test(getAttribute(link, 'type') ?? '');
}

function isRobotsMeta(meta: HtmlElement): boolean {
  return /^(?:robots|parley)$/i.test(getAttribute(meta, 'name') ?? '');
}

const MAX_REFRESH_SECONDS = 5;

function refreshTarget(metas: readonly HtmlElement[]): string | null {
  const refresh = metas.find((meta) => /^refresh$/i.test(getAttribute(meta, 'http-equiv') ?? ''));
  const content = refresh === undefined ? '' : (getAttribute(refresh, 'content') ?? '').slice(0, 1_500);
  const [delay = '', ...target] = content.split(/[;,]/);
  const named = /^\s*url\s*=\s*["']?([^"']+)/i.exec(target.join(';'))?.[1];
  return named !== undefined && Number.parseFloat(delay) <= MAX_REFRESH_SECONDS ? named : null;
}

function isFeedLink(link: HtmlElement): boolean {
  return isAlternate(link, /^application\/(?:rss|atom)\+xml/i);
}

function isFollowed(anchor: HtmlElement): boolean {
  return !relations(anchor).includes('nofollow');
}

function collectLinks(
  elements: readonly HtmlElement[],
  resolve: (href: string | null) => string | null,
  most: number,
): readonly string[] {
  const links = new Set<string>();
  for (const element of elements.slice(0, MAX_ANCHORS)) {
    const link = resolve(getAttribute(element, 'href'));
    if (link !== null && !isOtherFile(link)) links.add(link);
    if (links.size >= most) break;
  }
  return [...links];
}

/**
 * The title without the name of the site (`Returns | Shop`), if the page proves it: the rest is its only heading of
 * level 1, or the name is the stated one.
 */
function titleOf({ title, headings, siteName }: Facts): string | null {
  const [heading, other] = headings.filter((text) => text !== '');
  if (title === null) return heading ?? null;
  const plain = title.replace(/\s+/g, ' ').trim();
  const site = siteName?.trim() ?? '';
  if (heading !== undefined && other === undefined && isTitleWithSuffix(plain, heading)) return heading;
  if (site === '' || !plain.endsWith(site)) return plain;
  const rest = withoutSeparators(plain.slice(0, -site.length));
  return isTitleWithSuffix(plain, rest) ? rest : plain;
}

const SEPARATORS = ' |-–—·:»›/';

function withoutSeparators(text: string): string {
  let end = text.length;
  while (end > 0 && SEPARATORS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function isTitleWithSuffix(title: string, start: string): boolean {
  return (
    start !== '' && title.startsWith(start) && /^\s*(?:[|·»›:/]|[-–—]\s)/u.test(title.slice(start.length))
  );
}

/** A shorter page has no content of its own. */
const MIN_CHARACTERS = 200;

function isDrawnByScript({ scripts, hasRoot, noscripts, title }: Facts, characters: number): boolean {
  const text = characters - (title?.length ?? 0) - noscripts.reduce((sum, { length }) => sum + length, 0);
  if (text >= MIN_CHARACTERS || scripts === 0) return false;
  return hasRoot || noscripts.some((notice) => /javascript/i.test(notice)) || text < MIN_CHARACTERS / 10;
}

serveThread(answer);
