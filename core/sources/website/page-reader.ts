import { DocumentError } from '../../knowledge/documents/document-error.ts';
import { decodeText } from '../../knowledge/loaders/decode-text.ts';
import { detectContainer } from '../../knowledge/loaders/detect-format.ts';
import {
  ItemError,
  type KnownItem,
  type ListedItem,
  type ReadContent,
  type ReadResult,
  type SourceTools,
} from '../source-reader.ts';
import { isTrap, normaliseAddress, type Site } from './address.ts';
import { CanonicalAddresses, type Contents, contentsOf, type Standing } from './canonical.ts';
import { FoundLinks } from './discovery/found-links.ts';
import { createScope, scopePattern } from './discovery/scope.ts';
import { parseMarkdownLinks, readSiteList } from './discovery/site-list.ts';
import { MarkdownTwins } from './markdown-twins.ts';
import { MissingPages } from './missing-pages.ts';
import { type Page, parseCanonicalHeader, readPage } from './page.ts';
import {
  disallowed,
  emptyPage,
  isHtml,
  mediaType,
  moved,
  noIndex,
  otherHost,
  outOfScope,
  skipped,
  statusError,
  unlisted,
  withoutText,
} from './page-outcomes.ts';
import { parseRobotsTag } from './requests/robots.ts';
import type { Followed, SiteAnswer, SiteClient } from './requests/site-client.ts';
import { TemplateLearner } from './template/learn-template.ts';
import { HTML, isCopyOf, StoredPages } from './tree/stored-pages.ts';
import {
  conditionsFor,
  digestOf,
  headersOf,
  parseValidators,
  tooLarge,
  type Validators,
  withConditions,
} from './validators.ts';
import type { WebsiteSettings } from './website-settings.ts';

const MAX_LINKS = 2_000;
/** Counts up when the same bytes give another document: then pages are read without conditions once. */
const READING = 4;

type Content = Pick<ReadContent, 'bytes' | 'contentType' | 'found' | 'fileName' | 'title'> & {
  /** Set if the page has to be requested again to be cut anew. */
  readonly isAlwaysRead?: boolean;
};

/** An item with the answer to its request. */
interface Reading {
  readonly item: KnownItem;
  readonly answer: SiteAnswer;
  readonly known: Validators | null;
  /** The answer is that of the renderer. */
  readonly isRendered: boolean;
}

/** A request on its way, with the conditions it was sent with. */
interface Request {
  readonly known: Validators | null;
  readonly answer: Promise<Followed>;
}

interface PageReaderOptions {
  readonly client: SiteClient;
  readonly site: Site;
  readonly settings: WebsiteSettings;
  readonly tools: SourceTools;
}

/** Reads one page or file of a website. */
export class PageReader {
  readonly cutter: StoredPages;
  readonly #options: PageReaderOptions;
  readonly #start: string;
  readonly #inScope: (address: string) => boolean;
  readonly #reading: string;
  readonly #requests = new Map<string, Promise<Request>>();
  readonly #links: FoundLinks;
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
    this.#links = new FoundLinks({
      settings,
      isReadable: (address) => this.#isReadable(address),
      isStart: (item) => this.#isStart(item),
    });
    this.#twins = new MarkdownTwins(options);
    this.#missing = new MissingPages({
      client,
      read: async (answer) => (isHtml(answer) ? readPage(answer, options.tools) : null),
    });
    this.#learner = new TemplateLearner({
      memory: options.tools.memory,
      readBlocks: (key) => this.#readAhead(key),
    });
    this.cutter = new StoredPages({
      ...{ learner: this.#learner, tools: options.tools, reading: this.#reading },
      isStart: (item) => this.#isStart(item),
    });
    this.#canonicals = new CanonicalAddresses({
      client,
      judge: (address) => (this.#isReadable(address) ? null : 'unusable'),
      readStanding: (answer) => this.#standingOf(answer),
    });
  }

  /** Sends the request for a page whose turn comes soon. */
  async ahead(item: KnownItem): Promise<void> {
    if (this.#reasonAgainst(item) !== null) return;
    const request = this.#request(item);
    this.#requests.set(item.key, request);
    try {
      await (await request).answer;
    } catch {
      // Reading the page meets the same error, and reports it.
    }
  }

  async read(item: KnownItem): Promise<ReadResult> {
    const reason = this.#reasonAgainst(item);
    if (reason !== null) return reason;
    const { client } = this.#options;
    const address = item.key;
    if (!(await client.isAllowed(address))) return disallowed(address);
    const request = this.#requests.get(address) ?? this.#request(item);
    this.#requests.delete(address);
    const { known, answer } = await request;
    const followed = await answer;
    if (followed.kind === 'outside') return otherHost(followed.target, address);
    if (followed.kind === 'disallowed') return disallowed(followed.target);
    const { status, headers } = followed.response;
    // Some servers answer a condition that holds with the page again.
    const isSame = status === 200 && known?.etag !== null && known?.etag === headers.get('etag');
    if (known !== null && (status === 304 || isSame)) return this.#unchanged(item, known);
    if (status === 404 || status === 410) return { kind: 'gone', isFinal: status === 410 };
    if (status !== 200) throw statusError(address, status);
    if (followed.address !== address) return this.#moveTo(item, followed);
    return this.#readAnswer({ item, answer: followed, known, isRendered: false });
  }

  #reasonAgainst(item: KnownItem): ReadResult | null {
    const { site, settings } = this.#options;
    if (!site.includes(item.key)) return otherHost(item.key);
    if (item.origin === 'beyond' && !settings.read_unlisted) return unlisted;
    const isNamed = item.origin === 'list' || this.#isStart(item);
    return isNamed || this.#inScope(item.key) ? null : outOfScope(scopePattern(settings));
  }

  async #request(item: KnownItem): Promise<Request> {
    const known = parseValidators(item.validators, this.#reading);
    const answer = this.#follow(item.key, known);
    // The caller awaits it as well.
    answer.catch(() => undefined);
    return { known, answer };
  }

  async #follow(address: string, known: Validators | null): Promise<Followed> {
    const { client } = this.#options;
    if (!(await client.isAllowed(address))) return { kind: 'disallowed', target: address };
    try {
      return await client.follow(address, { conditions: conditionsFor(known) });
    } catch (error) {
      throw withConditions(error, this.#reading);
    }
  }

  #unchanged({ key }: KnownItem, known: Validators): ReadResult {
    if (known.isTooLarge === true)
      throw tooLarge(`${key} is as large as before. Split it into smaller pages, or exclude it.`, known);
    this.#canonicals.remember(key, 'own', null);
    return { kind: 'unchanged' };
  }

  /** Requests a page before its turn, and keeps its answer for that. */
  async #readAhead(key: string): Promise<readonly string[] | null> {
    const { client, site, tools } = this.#options;
    try {
      if (!site.includes(key) || !(await client.isAllowed(key))) return null;
      const request = this.#requests.get(key);
      const followed = await (request === undefined ? client.follow(key) : (await request).answer);
      if (followed.kind !== 'answer') return null;
      if (request === undefined) client.keep(followed);
      const isPage = followed.response.status === 200 && followed.address === key && isHtml(followed);
      const page = isPage ? await readPage(followed, tools) : null;
      return page === null || page.isDrawnByScript ? null : page.blocks;
    } catch (error) {
      // The page fails again at its turn, and is reported then.
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
        this.#links.inList(item, links, directives),
      );
    }
    return withoutText(type) ?? this.#readFile(reading);
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
    const found = this.#links.inPage(item, { feeds: [], links }, directives);
    if (directives.noIndex) return noIndex(found);
    const named = parseCanonicalHeader(headers.get('link'), answer.address);
    const canonical = await this.#canonicalOf(answer, named, contentsOf(answer, null));
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
    return this.#content(reading, { bytes, contentType, found, ...(fileName !== '' && { fileName }) }, links);
  }

  async #readHtml(reading: Reading): Promise<ReadResult> {
    const { answer, item } = reading;
    const cut = await this.#learner.cutFor(item.key, this.#isStart(item));
    const page = await readPage(answer, this.#options.tools, cut);
    const found = this.#links.inPage(item, page, page.directives);
    if (page.directives.noIndex) return noIndex(found);
    const rendered = page.isDrawnByScript ? await this.#render(reading) : null;
    if (rendered !== null) return this.#readHtml(rendered);
    const { refresh } = page;
    if (refresh !== null && refresh !== item.key && this.#isReadable(refresh)) return moved(item, refresh);
    const canonical = await this.#canonicalOf(answer, page.canonical, contentsOf(answer, page));
    if (canonical !== null) return moved(item, canonical);
    const excluded = this.#excluded(item, found);
    if (excluded !== null) return excluded;
    if (page.isDrawnByScript) throw emptyPage(answer.address);
    if (!this.#isStart(item) && (await this.#missing.includes(answer.address, page))) return { kind: 'gone' };
    const judgement = await this.#judge(reading, page, cut);
    if (judgement === null) return this.#readHtml(await this.#requireRendered(reading));
    const { copy, isStored } = judgement;
    if (copy !== null) return isCopyOf(copy, found);
    const prefersMarkdown = this.#options.settings.prefer_markdown;
    const twin = prefersMarkdown ? await this.#twins.find(answer.address, page.markdown) : null;
    const content =
      twin === null
        ? { bytes: Buffer.from(page.content), contentType: HTML, isAlwaysRead: !isStored }
        : { bytes: twin.response.bytes, contentType: 'text/markdown' };
    if (twin !== null) await this.#options.tools.memory.dropTree(item.key);
    const { title } = page;
    const links = [...page.feeds, ...page.links];
    return this.#content(reading, { ...content, found, ...(title !== null && { title }) }, links);
  }

  /** Returns null if nothing is left of the page, and a browser may draw more. Throws an ItemError if none can. */
  async #judge(reading: Reading, page: Page, cut: Awaited<ReturnType<TemplateLearner['cutFor']>>) {
    const { item, isRendered } = reading;
    try {
      const { key } = item;
      const { title } = page;
      return await this.#learner.judge(page, { ...{ key, title, isStart: this.#isStart(item), cut } });
    } catch (error) {
      const isEmpty = error instanceof ItemError && error.code === 'empty';
      if (!isEmpty || isRendered || this.#options.tools.render === null) throw error;
      return null;
    }
  }

  /** Lets a browser draw a page that was found empty. Returns null if there is none, or if it has drawn it already. */
  async #render(reading: Reading): Promise<Reading | null> {
    const { tools, client } = this.#options;
    const { item, isRendered } = reading;
    const isWanted = tools.isWanted(item.key) || this.#isStart(item);
    if (isRendered || tools.render === null || !isWanted) return null;
    await client.waitForTurn(item.key);
    const response = await tools.render(item.key);
    return { ...reading, answer: { kind: 'answer', address: item.key, response }, isRendered: true };
  }

  async #requireRendered(reading: Reading): Promise<Reading> {
    const rendered = await this.#render(reading);
    if (rendered === null) throw emptyPage(reading.item.key);
    return rendered;
  }

  /** Adds the validators that tell at the next reading whether the item has changed, or returns that it has not. */
  #content(
    { item, answer, known, isRendered }: Reading,
    { isAlwaysRead = false, ...content }: Content,
    found: readonly string[],
  ): ReadResult {
    const links = digestOf(found.join('\n'));
    const digest = digestOf(content.bytes, links);
    if (known?.digest === digest) return { kind: 'unchanged' };
    // The headers of a page that a script draws tell of its shell.
    const isUnconditional = isAlwaysRead || isRendered;
    const headers = isUnconditional ? { etag: null, modified: null } : headersOf(answer.response.headers);
    const title = content.title ?? item.title;
    return {
      ...{ kind: 'content', url: item.key, ...content },
      ...(title === undefined ? {} : { title }),
      validators: { reading: this.#reading, ...headers, links, digest },
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
  async #canonicalOf(
    { address }: SiteAnswer,
    named: string | null,
    contents: Contents,
  ): Promise<string | null> {
    const target = named !== null && named !== address && this.#isReadable(named) ? named : null;
    const canonical = target === null ? null : await this.#canonicals.resolve(address, target, contents);
    if (canonical === null) this.#canonicals.remember(address, 'own', contents);
    return canonical;
  }

  async #standingOf(
    answer: SiteAnswer,
  ): Promise<{ readonly standing: Standing; readonly contents: Contents | null }> {
    const header = answer.response.headers.get('link');
    const page = isHtml(answer) ? await readPage(answer, this.#options.tools) : null;
    if (page?.directives.noIndex === true) return { standing: 'unusable', contents: null };
    const contents = contentsOf(answer, page);
    const named = page?.canonical ?? parseCanonicalHeader(header, answer.address);
    if (named === null || named === answer.address || !this.#isReadable(named))
      return { standing: 'own', contents };
    return { standing: { to: named, isRedirect: false }, contents };
  }

  #isReadable(address: string): boolean {
    const { site, tools } = this.#options;
    if (!site.includes(address) || !this.#inScope(address)) return false;
    return tools.isWanted(address) && !isTrap(address, tools.now());
  }
}
