import { z } from 'zod';
import type { Json } from '../../contract/account.ts';
import {
  ItemError,
  type KnownItem,
  type ListedItem,
  type ListedPage,
  type PageCutter,
  type ReadResult,
  type SkippedItem,
  SourceError,
  type SourceKind,
  type SourceReader,
  type SourceTools,
} from '../source-reader.ts';
import { isOtherFile, normaliseAddress, Site } from './address.ts';
import { createScope, scopePattern, WHOLE_SITE } from './discovery/scope.ts';
import {
  MAX_LIST_BYTES,
  MAX_LISTED,
  readSiteList,
  type SiteList,
  stableVersion,
} from './discovery/site-list.ts';
import { describeScope } from './page-outcomes.ts';
import { PageReader } from './page-reader.ts';
import { createSignIn, type WebsiteCredentials, websiteCredentials } from './requests/sign-in.ts';
import { type SiteAnswer, SiteClient } from './requests/site-client.ts';
import { type WebsiteSettings, websiteSettings } from './website-settings.ts';

const PAGE_ITEMS = 1_000;
const MAX_LEFT_OUT = 100;
const MAX_FILES = 1_000;
/** The maximum number of sitemaps in `robots.txt` that are tried until one is found. */
const MAX_TRIED = 50;
/** The protocol allows no index in an index, but sites have them. */
const MAX_LEVEL = 2;

/** The sitemaps that are still to be listed, the first one from `offset`. */
const cursorSchema = z.object({
  files: z.array(z.object({ address: z.string(), level: z.int() })),
  offset: z.int(),
  /** Listed so far. */
  count: z.int(),
  /** The start is the list itself: all that it names is wanted, also outside of the scope. */
  isEntered: z.boolean().default(false),
});

type Cursor = z.output<typeof cursorSchema>;

/** A website: its sitemap, feed or `llms.txt`, or the pages that its start links to. */
export const website: SourceKind<WebsiteSettings, WebsiteCredentials> = {
  kind: 'website',
  settings: websiteSettings,
  credentials: websiteCredentials,
  open: ({ settings, credentials }, tools) =>
    new WebsiteReader({ settings, tools, signIn: createSignIn(settings.url, credentials) }),
};

interface WebsiteParts {
  readonly settings: WebsiteSettings;
  readonly tools: SourceTools;
  readonly signIn: (address: string) => Readonly<Record<string, string>>;
}

class WebsiteReader implements SourceReader {
  /** Generators write the date of a build or of a file, or none that is true. */
  readonly hasClaimedVersions = true;
  readonly confirmsMissing = true;
  readonly #settings: WebsiteSettings;
  readonly #tools: SourceTools;
  readonly #site: Site;
  readonly #client: SiteClient;
  readonly #pages: PageReader;
  readonly #inScope: (address: string) => boolean;
  readonly scope: string | null;
  readonly cutter: PageCutter;
  /** The file that is being listed: its pages are usually asked for by the same process. */
  #open: { readonly address: string; readonly list: SiteList } | null = null;

  constructor({ settings, tools, signIn }: WebsiteParts) {
    this.#settings = settings;
    this.#tools = tools;
    this.#site = new Site(settings.url, settings.include_subdomains);
    this.#client = new SiteClient({
      ...{ site: this.#site, tools, signIn },
      requestsPerSecond: settings.requests_per_second,
    });
    const pattern = scopePattern(settings);
    this.scope = pattern === WHOLE_SITE ? null : pattern;
    this.#inScope = createScope(settings);
    this.#pages = new PageReader({ client: this.#client, site: this.#site, settings, tools });
    this.cutter = this.#pages.cutter;
  }

  /** A feed names the newest pages only, and links need not lead to a page: only a sitemap is a list of all pages. */
  get isComplete(): boolean {
    return this.#settings.follow === 'sitemap';
  }

  ahead(item: KnownItem): Promise<void> {
    return this.#pages.ahead(item);
  }

  read(item: KnownItem): Promise<ReadResult> {
    return this.#pages.read(item);
  }

  async list(cursor: Json | null): Promise<ListedPage> {
    try {
      const known = cursor === null ? null : cursorSchema.safeParse(cursor).data;
      return known === null || known === undefined ? await this.#begin() : await this.#continue(known);
    } catch (error) {
      if (error instanceof ItemError) throw new SourceError(error.code, error.message, { cause: error });
      throw error;
    }
  }

  async #begin(): Promise<ListedPage> {
    const start = await this.#requestStart();
    const list = await readSiteList(start, this.#tools);
    if (list !== null) return this.#continue(this.#openList(start.address, list, { isEntered: true }));
    this.#requireScope(start.address);
    if (this.#settings.follow === 'links') return this.#startPage(start);
    const sitemap = await this.#findSitemap(start.address);
    if (sitemap !== null) {
      const next = this.#openList(sitemap.address, sitemap.list, { isEntered: false });
      if (this.#settings.follow === 'sitemap') return this.#continue(next);
      // The start names feeds, and links to pages that the sitemap may lack.
      this.#client.keep(start);
      const { address } = start;
      return { items: [{ key: address, url: address, depth: 0, origin: 'list' }], next };
    }
    if (this.#settings.follow === 'sitemap') throw this.#noSitemap();
    const links = await this.#requestList(new URL('/llms.txt', start.address).href);
    const listed =
      links === null ? null : this.#select(links.list, { base: links.address, isEntered: false });
    const startPage = this.#startPage(start);
    return listed === null
      ? startPage
      : { ...listed, items: [...startPage.items, ...listed.items], next: null };
  }

  #startPage(start: SiteAnswer): ListedPage {
    this.#client.keep(start);
    return { items: [{ key: start.address, url: start.address, depth: 0 }], next: null };
  }

  /** Throws a SourceError with what to do if the start cannot be read. */
  async #requestStart(): Promise<SiteAnswer> {
    const { url } = this.#settings;
    const address = normaliseAddress(url) ?? url;
    if (!(await this.#client.isAllowed(address))) throw disallowedStart(address);
    const followed = await this.#client.follow(address, { maxBytes: MAX_LIST_BYTES });
    if (followed.kind === 'outside') {
      throw new SourceError(
        'start_moved',
        `${url} redirects to another website: ${followed.target}. Enter that address instead.`,
      );
    }
    if (followed.kind === 'disallowed') throw disallowedStart(followed.target);
    const { status } = followed.response;
    if (status === 200) return followed;
    const code = status === 404 || status === 410 ? 'start_missing' : 'start_refused';
    throw new SourceError(
      code,
      `${url} answers with status ${status}. Check the address, and that the website lets the user agent "Parley" in.`,
    );
  }

  /** A start that redirects out of its own path would leave out everything that it names. */
  #requireScope(address: string): void {
    const { url, scope } = this.#settings;
    if (scope !== undefined || this.#inScope(address)) return;
    throw new SourceError(
      'start_moved',
      `${url} redirects to ${address}, which is not below ${this.scope}. Enter that address instead, or widen the scope.`,
    );
  }

  #openList(address: string, list: SiteList, { isEntered }: Pick<Cursor, 'isEntered'>): Cursor {
    if (this.#settings.follow === 'sitemap' && list.kind === 'feed') {
      throw new SourceError(
        'no_sitemap',
        `${address} is a feed, which names the newest pages only. Choose "auto", or enter the address of a sitemap.`,
      );
    }
    this.#open = { address, list };
    return { files: [{ address, level: 0 }], offset: 0, count: 0, isEntered };
  }

  /** Reads the sitemaps of robots.txt, then of the usual places. */
  async #findSitemap(start: string): Promise<{ readonly address: string; readonly list: SiteList } | null> {
    const { sitemaps } = await this.#client.robots(start);
    const places = sitemaps.length > 0 ? sitemaps : ['/sitemap.xml', '/sitemap_index.xml'];
    const addresses = places.flatMap((place) => URL.parse(place, start)?.href ?? []);
    for (const address of addresses.slice(0, MAX_TRIED)) {
      const answer = await this.#requestList(address);
      if (answer === null || answer.list.entries.length === 0) continue;
      if (sitemaps.length < 2) return answer;
      // Several sitemaps in robots.txt are an index of their own.
      const entries = addresses
        .filter((other) => this.#site.includes(other))
        .map((other) => ({ address: other }));
      return { address: new URL('/robots.txt', start).href, list: { kind: 'index', entries, isCut: false } };
    }
    return null;
  }

  /** Requests a sitemap, feed or `llms.txt`; null if the address has none. */
  async #requestList(address: string): Promise<{ readonly address: string; readonly list: SiteList } | null> {
    const isHere = this.#site.includes(address);
    if (!isHere || !(await this.#client.isAllowed(address))) return null;
    try {
      const followed = await this.#client.follow(address, { maxBytes: MAX_LIST_BYTES });
      if (followed.kind !== 'answer' || followed.response.status !== 200) return null;
      const list = await readSiteList(followed, this.#tools);
      return list === null ? null : { address: followed.address, list };
    } catch (error) {
      if (error instanceof ItemError) return null;
      throw error;
    }
  }

  async #continue(cursor: Cursor): Promise<ListedPage> {
    const [file, ...others] = cursor.files;
    if (file === undefined) return { items: [], next: null };
    const list = await this.#openFile(file.address);
    if (list === null) return this.#leaveOut(file.address, { ...cursor, files: others, offset: 0 });
    if (list.kind === 'index') return this.#continueIndex(list, cursor);
    const end = Math.min(cursor.offset + PAGE_ITEMS, cursor.offset + MAX_LISTED - cursor.count);
    const entries = list.entries.slice(cursor.offset, end);
    const page = this.#select({ ...list, entries }, { base: file.address, isEntered: cursor.isEntered });
    const count = cursor.count + entries.length;
    const isAtEnd = end >= list.entries.length;
    if (count >= MAX_LISTED && (!isAtEnd || list.isCut || others.length > 0)) {
      const leftOut = [cutAt(file.address, 'too_many_pages'), ...page.leftOut];
      return { ...page, next: null, leftOut, isCut: true };
    }
    if (isAtEnd && list.isCut) this.#requireWhole(file.address);
    const next = isAtEnd ? { ...cursor, files: others, offset: 0, count } : { ...cursor, offset: end, count };
    return nextPage(page, next);
  }

  #continueIndex(list: SiteList, { files: [file, ...others], ...cursor }: Cursor): ListedPage {
    if (file === undefined) return { items: [], next: null };
    const { address, level } = file;
    if (list.isCut && list.entries.length < MAX_LISTED) this.#requireWhole(address);
    const inner = list.entries.flatMap((entry) => {
      const found = URL.parse(entry.address, address)?.href ?? address;
      return found === address ? [] : [{ address: found, level: level + 1 }];
    });
    const isTooDeep = level >= MAX_LEVEL && inner.length > 0;
    const files = isTooDeep ? others : [...inner, ...others];
    const rest = { ...cursor, files: files.slice(0, MAX_FILES), offset: 0 };
    if (!isTooDeep && files.length <= MAX_FILES) return nextPage({ items: [] }, rest);
    const leftOut = [cutAt(address, isTooDeep ? 'sitemaps_nested' : 'too_many_sitemaps')];
    return nextPage({ items: [], leftOut, isCut: true }, rest);
  }

  async #openFile(address: string): Promise<SiteList | null> {
    if (this.#open?.address === address) return this.#open.list;
    const isRobots = new URL(address).pathname === '/robots.txt';
    const answer = isRobots ? await this.#findSitemap(address) : await this.#requestList(address);
    if (answer !== null) this.#open = { address, list: answer.list };
    return answer?.list ?? null;
  }

  /** A sitemap that cannot be read must not make its pages look removed. */
  #requireWhole(address: string): void {
    if (!this.isComplete) return;
    throw new SourceError(
      'sitemap_unreadable',
      `The sitemap ${address} is missing or damaged. Repair it, or choose "auto", which removes no page for that.`,
    );
  }

  #leaveOut(address: string, rest: Cursor): ListedPage {
    this.#requireWhole(address);
    const reason = `The sitemap ${address} is missing, damaged or belongs to another website.`;
    return nextPage(
      { items: [], leftOut: [{ key: address, url: address, code: 'sitemap_unreadable', reason }] },
      rest,
    );
  }

  #noSitemap(): SourceError {
    return new SourceError(
      'no_sitemap',
      `${this.#site.host} names no sitemap in its robots.txt and has none at /sitemap.xml. Enter the address of the sitemap, or choose "auto" or "links".`,
    );
  }

  /** The pages of a sitemap or feed are followed one step beyond it; `llms.txt` names all that is wanted of it. */
  #select(
    list: SiteList,
    { base, isEntered }: { readonly base: string; readonly isEntered: boolean },
  ): Required<Pick<ListedPage, 'items' | 'leftOut' | 'outside'>> {
    const items = new Map<string, ListedItem>();
    const leftOut: SkippedItem[] = [];
    const place =
      list.kind === 'links' ? { depth: this.#settings.max_depth } : ({ depth: 1, origin: 'list' } as const);
    let outside = 0;
    for (const { address, title, changed } of list.entries) {
      const key = normaliseAddress(address, base);
      if (key === null || isOtherFile(key)) continue;
      const reason = this.#reasonAgainst(key, isEntered);
      if (reason !== null && leftOut.length < MAX_LEFT_OUT) leftOut.push({ key, url: key, ...reason });
      if (reason?.code === 'out_of_scope') outside += 1;
      if (reason !== null) continue;
      const version = stableVersion(changed, this.#tools.now());
      items.set(key, {
        ...{ key, url: key, ...place },
        ...(title === undefined ? {} : { title }),
        ...(version === null ? {} : { version }),
      });
    }
    return { items: [...items.values()], leftOut, outside };
  }

  #reasonAgainst(address: string, isEntered: boolean): Pick<SkippedItem, 'code' | 'reason'> | null {
    if (!this.#site.includes(address)) {
      return {
        code: 'other_host',
        reason: 'It belongs to another website. Add that one as a source of its own.',
      };
    }
    if (!isEntered && !this.#inScope(address))
      return { code: 'out_of_scope', reason: describeScope(this.scope ?? WHOLE_SITE) };
    return this.#tools.isWanted(address)
      ? null
      : { code: 'excluded', reason: 'The patterns of the source leave it out.' };
  }
}

function nextPage(page: Omit<ListedPage, 'next'>, rest: Cursor): ListedPage {
  return { ...page, next: rest.files.length === 0 ? null : rest };
}

const cutReasons = {
  too_many_pages: `Only the first ${MAX_LISTED.toLocaleString('en')} addresses are read. Split the website into several sources.`,
  too_many_sitemaps: `The website has more than ${MAX_FILES.toLocaleString('en')} sitemaps, and the others are not read. Add those as sources of their own.`,
  sitemaps_nested: `It is an index of sitemaps inside ${MAX_LEVEL} others, so its sitemaps are not read. Add it as a source of its own.`,
};

/** Reports where the list was cut. */
function cutAt(address: string, code: keyof typeof cutReasons): SkippedItem {
  return { key: address, url: address, code, reason: cutReasons[code] };
}

function disallowedStart(address: string): SourceError {
  return new SourceError(
    'robots_disallowed',
    `The robots.txt of the website does not allow Parley to read ${address}. Ask its owner to allow the user agent "Parley".`,
  );
}
