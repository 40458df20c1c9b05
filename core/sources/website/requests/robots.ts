import { plainEscape } from '../address.ts';

/** RFC 9309 lets a client ignore the rest of a longer file. */
const MAX_ROBOTS_CHARACTERS = 500_000;
const MAX_CRAWL_DELAY_SECONDS = 10;
/** One more than a source reads, which tells that its list is cut. */
const MAX_SITEMAPS = 1_001;

interface Rule {
  readonly isAllowed: boolean;
  readonly pattern: string;
}

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  delaySeconds: number;
}

/** The `robots.txt` of a host, as it applies to one product. */
export interface RobotsRules {
  /** 0 if the file states none; at most 10 seconds. */
  readonly delayMs: number;
  /** As written; they may be relative. */
  readonly sitemaps: readonly string[];
  isAllowed(address: string): boolean;
}

export const ALLOW_ALL: RobotsRules = { delayMs: 0, sitemaps: [], isAllowed: () => true };

/**
 * Reads `robots.txt` by RFC 9309: the groups that name `product` apply together; without one, those for `*` apply.
 * The longest matching rule decides, and `Allow` wins between equal ones. `Crawl-delay` and `Sitemap` are the known
 * extensions. The parser is our own, because it is small and limits file, delay and sitemaps.
 */
export function parseRobots(text: string, product: string): RobotsRules {
  const { groups, sitemaps } = readGroups(text.slice(0, MAX_ROBOTS_CHARACTERS));
  const named = groups.filter(({ agents }) => agents.includes(product.toLowerCase()));
  const chosen = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'));
  const rules = chosen.flatMap((group) => group.rules);
  const delaySeconds = Math.max(0, ...chosen.map((group) => group.delaySeconds));
  return {
    delayMs: Math.min(delaySeconds, MAX_CRAWL_DELAY_SECONDS) * 1_000,
    sitemaps,
    isAllowed: (address) => decide(rules, pathOf(address)),
  };
}

function readGroups(text: string): {
  readonly groups: readonly Group[];
  readonly sitemaps: readonly string[];
} {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let group: Group | undefined;
  let isOpen = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [name, value] = readLine(line);
    if (name === 'sitemap' && value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
    if (name === 'user-agent') {
      if (group === undefined || !isOpen) {
        group = { agents: [], rules: [], delaySeconds: 0 };
        groups.push(group);
      }
      group.agents.push(productToken(value));
      isOpen = true;
    } else if (name === 'allow' || name === 'disallow') {
      isOpen = false;
      // An empty rule matches nothing: `Disallow:` alone allows all.
      if (value !== '') group?.rules.push({ isAllowed: name === 'allow', pattern: plainPath(value) });
    } else if (name === 'crawl-delay' && group !== undefined) {
      isOpen = false;
      group.delaySeconds = Math.max(0, Number.parseFloat(value) || 0);
    }
  }
  return { groups, sitemaps };
}

function readLine(line: string): readonly [name: string, value: string] {
  const content = line.replace('\ufeff', '').split('#', 1)[0] ?? '';
  const colon = content.indexOf(':');
  if (colon < 0) return ['', ''];
  return [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()];
}

/** `Parley/1.0` names the product `parley`. */
function productToken(value: string): string {
  return value === '*' ? '*' : (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase();
}

function decide(rules: readonly Rule[], path: string): boolean {
  let best: Rule | null = null;
  for (const rule of rules) {
    if (!matches(rule.pattern, path)) continue;
    const isLonger = best === null || rule.pattern.length > best.pattern.length;
    if (isLonger || (rule.pattern.length === best?.pattern.length && rule.isAllowed)) best = rule;
  }
  return best?.isAllowed ?? true;
}

/** Matches from the start of the path: `*` stands for any characters, `$` at the end for the end of the path. */
function matches(pattern: string, path: string): boolean {
  const endsThere = pattern.endsWith('$');
  const [first = '', ...rest] = (endsThere ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  const last = endsThere ? rest.pop() : undefined;
  let position = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  if (!endsThere) return true;
  if (last === undefined) return position === path.length;
  return path.length - last.length >= position && path.endsWith(last);
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return plainPath(pathname + search);
}

/** Both sides are compared with the same escapes: other characters than ASCII escaped, hexadecimal digits in capitals. */
function plainPath(path: string): string {
  return path
    .replace(/[^\u0021-\u007e]/gu, (character) =>
      /^[\ud800-\udfff]$/.test(character) ? '' : encodeURIComponent(character),
    )
    .replace(/%[0-9a-f]{2}/gi, plainEscape);
}

/** The permissions of robots on a page. */
export interface Directives {
  readonly noIndex: boolean;
  readonly noFollow: boolean;
}

/** Reads `noindex`, `nofollow` and `none` from the contents of meta elements or headers. */
export function combineDirectives(contents: readonly string[]): Directives {
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
