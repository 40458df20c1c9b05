import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DocumentError } from '../../knowledge/documents/document-error.ts';
import { decodeText } from '../../knowledge/loaders/decode-text.ts';
import { detectContainer } from '../../knowledge/loaders/detect-format.ts';
import {
  ItemError,
  type ItemOrigin,
  type KnownItem,
  type ListedItem,
  type ReadContent,
  type ReadResult,
  type SourceTools,
} from '../source-reader.ts';
import { isTrap, normaliseAddress, type Site, VariantCounter } from './address.ts';
import { CanonicalAddresses, type Standing } from './canonical.ts';
import { MarkdownTwins } from './markdown-twins.ts';
import { MissingPages } from './missing-pages.ts';
import { type Page, parseCanonicalHeader, readPage } from './page.ts';
import {
  disallowed,
  emptyPage,
  isCopyOf,
  isHtml,
  mediaType,
  moved,
  noIndex,
  otherHost,
  outOfScope,
  skipped,
  statusError,
  unlisted,
} from './page-outcomes.ts';
import { type Directives, parseRobotsTag } from './requests/robots.ts';
import type { SiteAnswer, SiteClient } from './requests/site-client.ts';
import { createScope, scopePattern } from './scope.ts';
import { parseMarkdownLinks, readSiteList } from './site-list.ts';
import { TemplateLearner } from './template/learn-template.ts';
import { type Generation, isOutdated } from './template/site-template.ts';
import type { WebsiteSettings } from './website-settings.ts';

const MAX_LINKS = 2_000;
const NO_TEXT = /^(?:image|audio|video|font)\/|javascript|^text\/css$|json$|xml$/;
/** Counts up when the same bytes give another document: then pages are read without conditions once. */
const READING = 3;
/** Feeds may lead to feeds, from a listed page. */
const MAX_FEED_DEPTH = 3;

/** A page after its last reading. */
const validatorsSchema = z.object({
  /** Validators of another reading or of other settings do not count. */
  reading: z.string(),
  etag: z.string().nullable(),
  modified: z.string().nullable(),
  /** Of the content and the links. */
  digest: z.string(),
  /** How much was known of the site's template when the page was cut; absent for other files. */
  generation: z.tuple([z.int(), z.int()]).optional(),
});

type Validators = z.output<typeof validatorsSchema>;

type Content = Pick<ReadContent, 'bytes' | 'contentType' | 'found' | 'fileName' | 'title'> & {
  readonly generation?: Generation;
};

/** An item with the answer to its request. */
interface Reading {
  readonly item: KnownItem;
  readonly answer: SiteAnswer;
  readonly known: Validators | null;
}

interface PageReaderOptions {
  readonly client: SiteClient;
  readonly site: Site;
  readonly settings: WebsiteSettings;
  readonly tools: SourceTools;
}

/** Reads one page or file of a website. */
export class PageReader {
  readonly #options: PageReaderOptions;
  readonly #start: string;
  readonly #inScope: (address: string) => boolean;
  readonly #reading: string;
  readonly #variants = new VariantCounter();
  readonly #twins: MarkdownTwins;
  readonly #missing: MissingPages;
  readonly #canonicals: CanonicalAddresses;
  readonly #learner: TemplateLearner;

  constructor(options: PageReaderOptions) {
    const { client, settings } = options;
    this.#options = options;
    this.#start = normaliseAddress(settings.url) ?? settings.url;
    this.#inScope = createScope(settings);
    const { follow, max_depth, include_subdomains, prefer_markdown } = settings;
    this.#reading = [READING, follow, max_depth, include_subdomains, prefer_markdown].join(' ');
    this.#twins = new MarkdownTwins(options);
    this.#missing = new MissingPages({
      client,
      read: async (answer) => (isHtml(answer) ? readPage(answer, options.tools) : null),
    });
    this.#learner = new TemplateLearner({
      memory: options.tools.memory,
      readBlocks: (key) => this.#readAhead(key),
    });
    this.#canonicals = new CanonicalAddresses({
      client,
      judge: (address) => (this.#isReadable(address) ? null : 'unusable'),
      readStanding: (answer) => this.#standingOf(answer),
    });
  }

  async read(item: KnownItem): Promise<ReadResult> {
    const { client, site, settings } = this.#options;
    const address = item.key;
    if (!site.includes(address)) return otherHost(address);
    if (item.origin === 'beyond' && !settings.read_unlisted) return unlisted;
    const isNamed = item.origin === 'list' || this.#isStart(item);
    if (!isNamed && !this.#inScope(address)) return outOfScope(scopePattern(settings));
    if (!(await client.isAllowed(address))) return disallowed(address);
    const known = await this.#parseValidators(item);
    const followed = await client.follow(address, { conditions: conditionsFor(known) });
    if (followed.kind === 'outside') return otherHost(followed.target, address);
    if (followed.kind === 'disallowed') return disallowed(followed.target);
    const { status } = followed.response;
    if (status === 304 && known !== null) {
      this.#canonicals.remember(address, 'own');
      return { kind: 'unchanged' };
    }
    if (status === 404 || status === 410) return { kind: 'gone', isFinal: status === 410 };
    if (status !== 200) throw statusError(address, status);
    if (followed.address !== address) return this.#moveTo(item, followed);
    // Some servers answer a condition that holds with the page again.
    const isSame =
      known !== null && known.etag !== null && known.etag === followed.response.headers.get('etag');
    return isSame ? { kind: 'unchanged' } : this.#readAnswer({ item, answer: followed, known });
  }

  async #parseValidators({ key, validators }: KnownItem): Promise<Validators | null> {
    const { data } = validatorsSchema.safeParse(validators);
    if (data?.reading !== this.#reading) return null;
    const { generation } = data;
    const isCut = generation !== undefined;
    return isCut && isOutdated(generation, await this.#learner.generationFor(key)) ? null : data;
  }

  /** Requests a page before its turn, and keeps its answer for that. */
  async #readAhead(key: string): Promise<readonly string[] | null> {
    const { client, site, tools } = this.#options;
    try {
      if (!site.includes(key) || !(await client.isAllowed(key))) return null;
      const followed = await client.follow(key);
      if (followed.kind !== 'answer') return null;
      client.keep(followed);
      const isPage = followed.response.status === 200 && followed.address === key && isHtml(followed);
      return isPage ? (await readPage(followed, tools)).blocks : null;
    } catch (error) {
      // The page fails again when its turn comes, and is reported then.
      if (error instanceof ItemError) return null;
      throw error;
    }
  }

  async #moveTo(item: KnownItem, answer: SiteAnswer): Promise<ReadResult> {
    const isMissing = answer.address !== this.#start && (await this.#missing.isTarget(answer.address));
    if (isMissing) return { kind: 'gone' };
    const isInside = this.#inScope(answer.address) || this.#isStart(item);
    if (!isInside) return outOfScope(scopePattern(this.#options.settings));
    this.#options.client.keep(answer);
    return moved(item, answer.address);
  }

  async #readAnswer(reading: Reading): Promise<ReadResult> {
    const { answer, item } = reading;
    const { bytes, headers } = answer.response;
    if (bytes.byteLength === 0) return skipped('empty_file', 'The address answers without content.');
    if (isHtml(answer)) return this.#readHtml(reading);
    const type = mediaType(answer);
    const list = /xml|gzip/.test(type) ? await readSiteList(answer, this.#options.tools) : null;
    if (list !== null) {
      const links = list.entries.flatMap((entry) => normaliseAddress(entry.address, answer.address) ?? []);
      const directives = parseRobotsTag(headers.get('x-robots-tag'));
      return skipped(
        'list',
        'A sitemap or feed: its pages are read instead.',
        this.#foundInList(item, links, directives),
      );
    }
    return NO_TEXT.test(type)
      ? skipped('unsupported_format', `The address answers with ${type}, which holds no text to read.`)
      : this.#readFile(reading);
  }

  /** Reads any other format, as a document that is added by hand. */
  async #readFile(reading: Reading): Promise<ReadResult> {
    const { answer, item } = reading;
    const { bytes, headers } = answer.response;
    const directives = parseRobotsTag(headers.get('x-robots-tag'));
    const text = /markdown$/.test(mediaType(answer)) ? decodeText(bytes, null) : '';
    const links = parseMarkdownLinks(text, MAX_LINKS).entries.flatMap(
      (entry) => normaliseAddress(entry.address, answer.address) ?? [],
    );
    const found = this.#found(item, { feeds: [], links }, directives);
    if (directives.noIndex) return noIndex(found);
    const canonical = await this.#canonicalOf(
      answer,
      parseCanonicalHeader(headers.get('link'), answer.address),
    );
    if (canonical !== null) return moved(item, canonical);
    const excluded = this.#excluded(item, found);
    if (excluded !== null) return excluded;
    try {
      await detectContainer(bytes);
    } catch (error) {
      if (error instanceof DocumentError) return skipped(error.code, error.reason);
      throw error;
    }
    const fileName = new URL(answer.address).pathname.split('/').at(-1) ?? '';
    const contentType = headers.get('content-type') ?? 'application/octet-stream';
    const named = fileName === '' ? {} : { fileName };
    return this.#content(reading, { bytes, contentType, found, ...named }, links);
  }

  async #readHtml(reading: Reading): Promise<ReadResult> {
    const { answer, item } = reading;
    const cut = await this.#learner.cutFor(item.key, this.#isStart(item));
    const page = await readPage(answer, this.#options.tools, cut);
    const found = this.#found(item, page, page.directives);
    if (page.directives.noIndex) return noIndex(found);
    const { refresh } = page;
    if (refresh !== null && refresh !== item.key && this.#isReadable(refresh)) return moved(item, refresh);
    const canonical = await this.#canonicalOf(answer, page.canonical);
    if (canonical !== null) return moved(item, canonical);
    const excluded = this.#excluded(item, found);
    if (excluded !== null) return excluded;
    if (page.isDrawnByScript) throw emptyPage(answer.address);
    if (!this.#isStart(item) && (await this.#missing.includes(answer.address, page))) return { kind: 'gone' };
    const { copy, generation } = await this.#learner.judge(page, {
      key: item.key,
      isStart: this.#isStart(item),
      cut,
    });
    if (copy !== null) return isCopyOf(copy, found);
    const prefersMarkdown = this.#options.settings.prefer_markdown;
    const twin = prefersMarkdown ? await this.#twins.find(answer.address, page.markdown) : null;
    const content =
      twin === null
        ? { bytes: Buffer.from(page.content), contentType: 'text/html; charset=utf-8' }
        : { bytes: twin.response.bytes, contentType: 'text/markdown' };
    const titled = page.title === null ? {} : { title: page.title };
    const links = [...page.feeds, ...page.links];
    return this.#content(reading, { ...content, found, ...titled, generation }, links);
  }

  /** Adds what tells at the next reading whether the item has changed, or returns that it has not. */
  #content(
    { item, answer, known }: Reading,
    { generation, ...content }: Content,
    links: readonly string[],
  ): ReadResult {
    const digest = createHash('sha256').update(content.bytes).update(links.join('\n')).digest('base64url');
    if (known?.digest === digest) return { kind: 'unchanged' };
    const { headers } = answer.response;
    const validators = {
      reading: this.#reading,
      etag: headers.get('etag')?.slice(0, 500) ?? null,
      modified: headers.get('last-modified')?.slice(0, 100) ?? null,
      digest,
      ...(generation === undefined ? {} : { generation: [...generation] }),
    };
    const title = content.title ?? item.title;
    return {
      kind: 'content',
      url: item.key,
      ...content,
      ...(title === undefined ? {} : { title }),
      validators,
      differs: known !== null,
    };
  }

  #isStart({ key, depth = 0 }: KnownItem): boolean {
    return key === this.#start || (depth === 0 && this.#options.settings.max_depth > 0);
  }

  /** The start is read for its links, also where the patterns or the scope of the source leave it out. */
  #excluded(item: KnownItem, found: readonly ListedItem[]): ReadResult | null {
    const { tools, settings } = this.#options;
    if (!tools.isWanted(item.key))
      return skipped(
        'excluded',
        'The patterns of the source leave this page out; its links are followed.',
        found,
      );
    const isListed = item.origin === 'list' && item.depth !== 0;
    return isListed || this.#inScope(item.key) ? null : outOfScope(scopePattern(settings), found);
  }

  /** Returns the page that replaces this one, or null. */
  async #canonicalOf(answer: SiteAnswer, named: string | null): Promise<string | null> {
    const { address } = answer;
    const target = named !== null && named !== address && this.#isReadable(named) ? named : null;
    const canonical = target === null ? null : await this.#canonicals.resolve(address, target);
    if (canonical === null) this.#canonicals.remember(address, 'own');
    return canonical;
  }

  async #standingOf(answer: SiteAnswer): Promise<Standing> {
    const header = answer.response.headers.get('link');
    const page = isHtml(answer) ? await readPage(answer, this.#options.tools) : null;
    if (page?.directives.noIndex === true) return 'unusable';
    const named = page?.canonical ?? parseCanonicalHeader(header, answer.address);
    if (named === null || named === answer.address || !this.#isReadable(named)) return 'own';
    return { to: named, isRedirect: false };
  }

  #isReadable(address: string): boolean {
    const { site, tools } = this.#options;
    const isInside = site.includes(address) && this.#inScope(address);
    return isInside && tools.isWanted(address) && !isTrap(address, tools.now());
  }

  /** Links from the start lead on; those of a page that a list names lead one step beyond the list. */
  #found(
    item: KnownItem,
    { feeds, links }: Pick<Page, 'feeds' | 'links'>,
    { noFollow }: Directives,
  ): readonly ListedItem[] {
    const { origin, key, depth = 0 } = item;
    const { follow, max_depth: most } = this.#options.settings;
    if (origin === undefined) {
      const isEnd = noFollow || depth >= most;
      return isEnd ? [] : this.#toItems(item, [...feeds, ...links]);
    }
    if (noFollow || origin !== 'list' || follow !== 'auto') return [];
    const ofSite = this.#isStart(item) ? feeds : feeds.filter((feed) => !isFeedOfPage(feed, key));
    const known = new Set(ofSite);
    const beyond = links.filter((link) => !known.has(link));
    return [...this.#toItems(item, ofSite, 'feed'), ...this.#toItems(item, beyond, 'beyond')];
  }

  /** What a feed or a sitemap names is listed. */
  #foundInList(item: KnownItem, links: readonly string[], { noFollow }: Directives): readonly ListedItem[] {
    if (item.origin === undefined)
      return this.#found(item, { feeds: [], links }, { noFollow, noIndex: false });
    const { depth = 0 } = item;
    return noFollow || depth > MAX_FEED_DEPTH ? [] : this.#toItems(item, links, 'list');
  }

  #toItems(
    { key, depth = 0 }: KnownItem,
    links: readonly string[],
    origin?: ItemOrigin,
  ): readonly ListedItem[] {
    return [...new Set(links)]
      .filter((link) => link !== key && this.#isReadable(link) && this.#variants.accept(link))
      .slice(0, MAX_LINKS)
      .map((link) => ({
        ...{ key: link, url: link, depth: depth + 1 },
        ...(origin !== undefined && { origin }),
      }));
  }
}

/** Blogs have a feed of the comments for each article. */
function isFeedOfPage(feed: string, page: string): boolean {
  const { pathname } = new URL(feed);
  const own = new URL(page).pathname.replace(/\/$/, '');
  const rest = pathname.startsWith(`${own}/`) ? pathname.slice(own.length) : '';
  return /^\/(?:feed|rss|atom)\/?$/i.test(rest) || /\/comments\/feed\/?$/i.test(pathname);
}

/** Conditions are those of the last reading under the same settings. */
function conditionsFor(known: Validators | null): Readonly<Record<string, string>> {
  return {
    ...(known === null || known.etag === null ? {} : { 'if-none-match': known.etag }),
    ...(known === null || known.modified === null ? {} : { 'if-modified-since': known.modified }),
  };
}
