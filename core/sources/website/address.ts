/** The longest address that becomes an item: keys have at most 1,000 characters. */
const MAX_ADDRESS = 1_000;
const MAX_PATH = 512;
const MAX_SEGMENTS = 16;
/** The number of times that a path may contain the same segment: wrong relative links repeat one without end. */
const MAX_REPEATS = 2;
const MAX_PARAMETERS = 6;

/** Parameters of campaigns and of sessions: they change the address, not the page. */
const FOREIGN_PARAMETER =
  /^(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|igshid|mc_[ce]id|_ga|_gl|jsessionid|phpsessid|aspsessionid\w*|sid|session_?id|cfid|cftoken)$/i;
const SESSION_IN_PATH = /;(?:jsessionid|phpsessid|sid)=[^/?;]*/gi;
const UNRESERVED = /^[\w.~-]$/;

/**
 * Returns the address under which a page is known, or null for one that is not an http(s) address or too long. The
 * hash, the default port, dot segments, sessions and tracking parameters are dropped; parameters are sorted by name.
 */
export function normaliseAddress(address: string, base?: string): string | null {
  const url = URL.parse(address.trim(), base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return null;
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  url.pathname = url.pathname.replace(SESSION_IN_PATH, '').replace(/%[0-9a-f]{2}/gi, plainEscape);
  const parameters = url.search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !FOREIGN_PARAMETER.test(parameterName(parameter)));
  const sorted = parameters.toSorted((a, b) => compare(parameterName(a), parameterName(b)));
  url.search = sorted.join('&');
  return url.href.length <= MAX_ADDRESS ? url.href : null;
}

/** Escapes of characters that need none would make two spellings of one address. */
export function plainEscape(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return UNRESERVED.test(character) ? character : escaped.toUpperCase();
}

function parameterName(parameter: string): string {
  return parameter.split('=', 1)[0] ?? '';
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The host of a website, with and without `www.`, on http and https; its subdomains if they are included. */
export class Site {
  readonly #host: string;
  readonly #includesSubdomains: boolean;

  constructor(start: string, includesSubdomains: boolean) {
    this.#host = plainHost(new URL(start));
    this.#includesSubdomains = includesSubdomains;
  }

  get host(): string {
    return this.#host;
  }

  /** True for the host itself, false for its subdomains. */
  isMainHost(address: string): boolean {
    return plainHost(new URL(address)) === this.#host;
  }

  includes(address: string): boolean {
    const url = URL.parse(address);
    if (url === null || !/^https?:$/.test(url.protocol)) return false;
    const host = plainHost(url);
    return host === this.#host || (this.#includesSubdomains && host.endsWith(`.${this.#host}`));
  }
}

function plainHost(url: URL): string {
  return url.host.replace(/^www\./, '').replace(/\.$/, '');
}

/** True for addresses that sites make up without end: wrong relative links, calendars, and filters of filters. */
export function isTrap(address: string, now: Date): boolean {
  const { pathname, search } = new URL(address);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (pathname.length > MAX_PATH || segments.length > MAX_SEGMENTS) return true;
  const counts = Map.groupBy(segments, (segment) => segment);
  if ([...counts.values()].some(({ length }) => length > MAX_REPEATS)) return true;
  if (search.split('&').length > MAX_PARAMETERS) return true;
  return isFarInCalendar(segments, search, now);
}

const CALENDAR = /^(?:agenda|archive-day|cal|calendar|calendrier|events?|kalender|termine)$/i;
const DATE_PARAMETER =
  /[?&](?:cal|calendar|date|day|from|month|start|tribe-bar-date|week|year|ym|jahr|monat|datum)=([^&]*)/gi;
const YEAR = /(?:^|\D)((?:1[89]|2\d)\d\d)(?:\D|$|\d{2}(?:\d{2})?(?:\D|$))/;

/** Calendars have a page for each day of any year. Only pages of this year and its neighbours are read. */
function isFarInCalendar(segments: readonly string[], search: string, now: Date): boolean {
  const inPath = segments.findIndex((segment) => CALENDAR.test(segment));
  const dates = inPath < 0 ? [] : [segments.slice(inPath + 1).join('/')];
  for (const [, value = ''] of search.matchAll(DATE_PARAMETER)) dates.push(value);
  return dates.some((date) => {
    const year = YEAR.exec(date)?.[1];
    return year !== undefined && Math.abs(Number(year) - now.getUTCFullYear()) > 1;
  });
}

const NO_DOCUMENT =
  /\.(?:7z|avi|avif|bmp|bz2|css|dmg|eot|exe|gif|gz|ico|iso|jar|jpe?g|js|json|m4a|map|mjs|mov|mp3|mp4|mpe?g|msi|ogg|otf|png|rar|svg|tar|tgz|tiff?|ttf|wasm|wav|webm|webmanifest|webp|wmv|woff2?|xz|zip)$/i;

/** True for files without readable text, by their name. */
export function isOtherFile(address: string): boolean {
  return NO_DOCUMENT.test(new URL(address).pathname);
}

/**
 * Limits the variants of a path that differ in their parameters only: filters, sort orders and sessions by other
 * names.
 */
export class VariantCounter {
  readonly #variants = new Map<string, Set<string>>();
  readonly #most: number;

  constructor(most = 50) {
    this.#most = most;
  }

  /** Returns false for a further variant of a path that has enough of them. */
  accept(address: string): boolean {
    const { origin, pathname, search } = new URL(address);
    if (search === '') return true;
    const path = origin + pathname;
    const variants = this.#variants.get(path) ?? new Set();
    this.#variants.set(path, variants);
    if (variants.size >= this.#most) return variants.has(search);
    variants.add(search);
    return true;
  }
}
