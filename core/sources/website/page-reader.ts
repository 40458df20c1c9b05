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
import { isTrap, normaliseAddress, type Site, VariantCounter } from './address.ts';
import { CanonicalAddresses, type Standing } from './canonical.ts';
import { MarkdownTwins } from './markdown-twins.ts';
import { MissingPages } from './missing-pages.ts';
import { parseCanonicalHeader, readPage } from './page.ts';
import { type Directives, parseRobotsTag } from './robots.ts';
import type { SiteAnswer, SiteClient } from './site-client.ts';
import { parseMarkdownLinks, readSiteList } from './site-list.ts';
import { TemplateLearner } from './template/learn-template.ts';
import { HTML, isCopyOf, StoredPages } from './tree/stored-pages.ts';
import { conditionsFor, digestOf, parseValidators, type Validators } from './validators.ts';
import type { WebsiteSettings } from './website-settings.ts';

const MAX_LINKS = 2_000;
const NO_TEXT = /^(?:image|audio|video|font)\/|javascript|^text\/css$|json$|xml$/;
/** Counts up when the same bytes give another document: then pages are read without conditions once. */
const READING = 3;

type Content = Pick<ReadContent, 'bytes' | 'contentType' | 'found' | 'fileName' | 'title'> & {
  /** Set if the page has to be requested again to be cut anew. */
  readonly isAlwaysRead?: boolean;
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
  readonly cutter: StoredPages;
  readonly #options: PageReaderOptions;
  readonly #start: string;
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

  async read(item: KnownItem): Promise<ReadResult> {
    const { client, site } = this.#options;
    const address = item.key;
    if (!site.includes(address)) return otherHost(address);
    if (!(await client.isAllowed(address))) return disallowed(address);
    const known = parseValidators(item.validators, this.#reading);
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
    // Some servers answer a fulfilled condition with the page again.
    const isSame =
      known !== null && known.etag !== null && known.etag === followed.response.headers.get('etag');
    return isSame ? { kind: 'unchanged' } : this.#readAnswer({ item, answer: followed, known });
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
      // The page fails again at its turn, and is reported then.
      if (error instanceof ItemError) return null;
      throw error;
    }
  }

  async #moveTo(item: KnownItem, answer: SiteAnswer): Promise<ReadResult> {
    const isMissing = answer.address !== this.#start && (await this.#missing.isTarget(answer.address));
    if (isMissing) return { kind: 'gone' };
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
        this.#found(item, links, directives),
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
    const found = this.#found(item, links, directives);
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
    const found = this.#found(item, page.links, page.directives);
    if (page.directives.noIndex) return noIndex(found);
    const { refresh } = page;
    if (refresh !== null && refresh !== item.key && this.#isReadable(refresh)) return moved(item, refresh);
    const canonical = await this.#canonicalOf(answer, page.canonical);
    if (canonical !== null) return moved(item, canonical);
    const excluded = this.#excluded(item, found);
    if (excluded !== null) return excluded;
    if (page.isDrawnByScript) throw emptyPage(answer.address);
    if (!this.#isStart(item) && (await this.#missing.includes(answer.address, page))) return { kind: 'gone' };
    const { key } = item;
    const { title } = page;
    const { copy, isStored } = await this.#learner.judge(page, {
      ...{ key, title, isStart: this.#isStart(item), cut },
    });
    if (copy !== null) return isCopyOf(copy, found);
    const prefersMarkdown = this.#options.settings.prefer_markdown;
    const twin = prefersMarkdown ? await this.#twins.find(answer.address, page.markdown) : null;
    const content =
      twin === null
        ? { bytes: Buffer.from(page.content), contentType: HTML, isAlwaysRead: !isStored }
        : { bytes: twin.response.bytes, contentType: 'text/markdown' };
    if (twin !== null) await this.#options.tools.memory.dropTree(key);
    return this.#content(reading, { ...content, found, ...(title !== null && { title }) }, page.links);
  }

  /** Adds the validators that tell at the next reading whether the item has changed, or returns that it has not. */
  #content(
    { item, answer, known }: Reading,
    { isAlwaysRead = false, ...content }: Content,
    found: readonly string[],
  ): ReadResult {
    const links = digestOf(found.join('\n'));
    const digest = digestOf(content.bytes, links);
    if (known?.digest === digest) return { kind: 'unchanged' };
    const { headers } = answer.response;
    const validators = {
      reading: this.#reading,
      etag: isAlwaysRead ? null : (headers.get('etag')?.slice(0, 500) ?? null),
      modified: isAlwaysRead ? null : (headers.get('last-modified')?.slice(0, 100) ?? null),
      ...{ links, digest },
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

  /** The start is read for its links, also if the patterns of the source exclude it. */
  #excluded(item: KnownItem, found: readonly ListedItem[]): ReadResult | null {
    return this.#options.tools.isWanted(item.key)
      ? null
      : skipped('excluded', 'The patterns of the source leave this page out; its links are followed.', found);
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
    return site.includes(address) && tools.isWanted(address) && !isTrap(address, tools.now());
  }

  #found(item: KnownItem, links: readonly string[], { noFollow }: Directives): readonly ListedItem[] {
    const depth = (item.depth ?? 0) + 1;
    if (noFollow || depth > this.#options.settings.max_depth) return [];
    return [...new Set(links)]
      .filter((link) => link !== item.key && this.#isReadable(link) && this.#variants.accept(link))
      .slice(0, MAX_LINKS)
      .map((link) => ({ key: link, url: link, depth }));
  }
}

function mediaType({ response }: SiteAnswer): string {
  return response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function isHtml(answer: SiteAnswer): boolean {
  const type = mediaType(answer);
  if (type === 'text/html' || type === 'application/xhtml+xml') return true;
  const start = Buffer.from(answer.response.bytes.subarray(0, 200)).toString('latin1').trimStart();
  return type === '' && /^<(?:!doctype html|html)\b/i.test(start);
}

function moved({ depth }: KnownItem, target: string): ReadResult {
  return { kind: 'moved', to: { key: target, url: target, ...(depth === undefined ? {} : { depth }) } };
}

function skipped(code: string, reason: string, found: readonly ListedItem[] = []): ReadResult {
  return { kind: 'skipped', code, reason, found };
}

function noIndex(found: readonly ListedItem[]): ReadResult {
  return skipped(
    'noindex',
    'The page asks not to be read by robots (noindex). Remove that to read it.',
    found,
  );
}

function otherHost(target: string, address?: string): ReadResult {
  return skipped(
    'other_host',
    address === undefined
      ? `${target} belongs to another website. Add that one as a source of its own.`
      : `The page redirects to another website: ${target}. Add that one as a source of its own.`,
  );
}

function disallowed(address: string): ReadResult {
  return skipped(
    'robots_disallowed',
    `The robots.txt of the website does not allow Parley to read ${address}.`,
  );
}

function statusError(address: string, status: number): ItemError {
  const advice =
    status === 401 || status === 403
      ? 'It needs a sign-in, or the website refuses Parley: allow the user agent "Parley", or add the page by hand.'
      : 'The next run tries again.';
  return new ItemError(`http_${status}`, `${address} answers with status ${status}. ${advice}`);
}

function emptyPage(address: string): ItemError {
  return new ItemError(
    'empty_page',
    `${address} is nearly empty: a script draws it in the browser. Use the address of a rendered version or its sitemap, offer the page as Markdown, or upload its text as a document.`,
  );
}
