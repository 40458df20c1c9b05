import {
  countTextCharacters,
  getAttribute,
  type HtmlElement,
  type HtmlParent,
  isElement,
  parseHtml,
} from '../../knowledge/loaders/html/parse-html.ts';
import { isOtherFile, normaliseAddress } from './address.ts';

const MAX_LINKS = 2_000;
const MAX_ANCHORS = 10_000;
/** Cutting takes a second of processor time for twice as many. */
const MAX_ELEMENTS = 100_000;

/** The permissions of robots on a page. */
export interface Directives {
  readonly noIndex: boolean;
  readonly noFollow: boolean;
}

/** A page as it describes itself. All addresses are normalised. */
export interface Page {
  readonly tree: HtmlParent;
  readonly title: string | null;
  readonly language: string | null;
  readonly canonical: string | null;
  readonly directives: Directives;
  /** Target of an immediate `<meta http-equiv="refresh">`. */
  readonly refresh: string | null;
  /** The same page as Markdown. */
  readonly markdown: string | null;
  /** Feeds that the page names, and links that it does not tell robots to leave. */
  readonly links: readonly string[];
  /** A script draws the page: it has next to no text, and a place for a script to fill. */
  readonly isDrawnByScript: boolean;
}

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

/** Reads an HTML page that was found at `address`. Throws a DocumentError if it is too large or nested too deeply. */
export function readPage(html: string, address: string): Page {
  const tree = parseHtml(html, MAX_ELEMENTS);
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
  return {
    tree,
    title: titleOf(facts),
    language: facts.language,
    canonical: linked((link) => relations(link).includes('canonical')),
    directives: combineDirectives(
      facts.metas.filter(isRobotsMeta).map((meta) => getAttribute(meta, 'content') ?? ''),
    ),
    refresh: resolve(refreshTarget(facts.metas)),
    markdown: linked((link) => isAlternate(link, /^text\/(?:x-)?markdown\b/i)),
    links: linksOf(facts, resolve),
    isDrawnByScript: isDrawnByScript(facts, countTextCharacters(tree)),
  };
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

/** Returns the text under an element, with the spaces of its source. */
export function textUnder(node: HtmlParent | HtmlParent['childNodes'][number]): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textUnder).join('') : '';
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

/** Reads `noindex`, `nofollow` and `none` from the contents of meta elements or headers. */
function combineDirectives(contents: readonly string[]): Directives {
  const words = contents.flatMap((content) => content.toLowerCase().split(/[\s,]+/));
  const has = (word: string): boolean => words.includes(word) || words.includes('none');
  return { noIndex: has('noindex'), noFollow: has('nofollow') };
}

/** Reads an `X-Robots-Tag` header. Directives for other robots (`googlebot: noindex`) do not count. */
export function parseRobotsTag(header: string | null): Directives {
  let isForUs = true;
  const parts = (header ?? '').split(',').map((part) => {
    const [agent = '', directive] = part.split(':', 2);
    if (directive === undefined) return isForUs ? part : '';
    if (/^\s*unavailable_after\s*$/i.test(agent)) return '';
    isForUs = /^\s*parley\s*$/i.test(agent);
    return isForUs ? directive : '';
  });
  return combineDirectives(parts);
}

/** Reads the canonical address of a `Link` header. */
export function parseCanonicalHeader(header: string | null, address: string): string | null {
  for (const part of (header ?? '').slice(0, 4_000).split(',')) {
    const [target = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const isCanonical = parameters.some((parameter) => /^rel="?canonical"?$/i.test(parameter));
    if (isCanonical && target.startsWith('<')) return normaliseAddress(target.replace(/^<|>$/g, ''), address);
  }
  return null;
}

const MAX_REFRESH_SECONDS = 5;

function refreshTarget(metas: readonly HtmlElement[]): string | null {
  const refresh = metas.find((meta) => /^refresh$/i.test(getAttribute(meta, 'http-equiv') ?? ''));
  const content = refresh === undefined ? '' : (getAttribute(refresh, 'content') ?? '').slice(0, 1_500);
  const [delay = '', ...target] = content.split(/[;,]/);
  const named = /^\s*url\s*=\s*["']?([^"']+)/i.exec(target.join(';'))?.[1];
  return named !== undefined && Number.parseFloat(delay) <= MAX_REFRESH_SECONDS ? named : null;
}

function linksOf(facts: Facts, resolve: (href: string | null) => string | null): readonly string[] {
  const feeds = facts.linkElements.filter((link) => isAlternate(link, /^application\/(?:rss|atom)\+xml/i));
  const followed = facts.anchors.filter((anchor) => !relations(anchor).includes('nofollow'));
  const links = new Set<string>();
  for (const element of [...feeds, ...followed].slice(0, MAX_ANCHORS)) {
    const link = resolve(getAttribute(element, 'href'));
    if (link !== null && !isOtherFile(link)) links.add(link);
    if (links.size >= MAX_LINKS) break;
  }
  return [...links];
}

/**
 * The title without the name of the site (`Returns | Shop`), where the page proves it: the rest is its only heading of
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
