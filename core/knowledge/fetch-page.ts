import { guardedFetch, type ResolveHost } from '../base/http-client.ts';
import { DEFAULT_LOADING_LIMITS } from './loaders/loader.ts';

/** A page or file of the web. */
export interface FetchedPage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The last part of the path; its extension can tell the format where the content type does not. */
  readonly fileName: string;
  /** Null if the server names none. */
  readonly contentType: string | null;
  /** The address without its hash: it identifies the document. */
  readonly url: string;
}

interface FetchPageOptions {
  /** Also allows hosts in private networks and this machine. */
  readonly allowPrivate: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly resolveHost?: ResolveHost;
}

/** The server has answered, but not with the page. */
export class PageRefusedError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The URL responded with status ${status}.`);
    this.name = 'PageRefusedError';
    this.status = status;
  }
}

/** The address is a sitemap or a feed, which names pages and is none itself. */
export class ListOfPagesError extends Error {
  constructor() {
    super('The URL is a list of pages.');
    this.name = 'ListOfPagesError';
  }
}

const headers = {
  accept: 'text/html, application/pdf, text/markdown, text/plain;q=0.9, */*;q=0.5',
  'user-agent': 'Parley/0.1 (document add)',
};
const TIMEOUT_MS = 60_000;

/** Fetches one page or file to become a document. Throws a FetchError, a PageRefusedError or a ListOfPagesError. */
export async function fetchPage(address: string, options: FetchPageOptions): Promise<FetchedPage> {
  const url = new URL(address);
  url.hash = '';
  const response = await guardedFetch(url.href, {
    headers,
    maxBytes: DEFAULT_LOADING_LIMITS.maxFileBytes,
    timeoutMs: TIMEOUT_MS,
    ...options,
  });
  if (response.status < 200 || response.status > 299) throw new PageRefusedError(response.status);
  const page = {
    bytes: new Uint8Array(response.bytes),
    fileName: fileNameFromUrl(url),
    contentType: response.headers.get('content-type'),
    url: url.href,
  };
  if (isListOfPages(page)) throw new ListOfPagesError();
  return page;
}

function isListOfPages({ contentType, fileName, bytes }: FetchedPage): boolean {
  const isXml = /[/+]xml\b/i.test(contentType ?? '') || /\.xml(?:\.gz)?$/i.test(fileName);
  if (!isXml || /xhtml/i.test(contentType ?? '')) return false;
  const start = Buffer.from(bytes.subarray(0, 2_000)).toString('utf8');
  return /<(?:urlset|sitemapindex|rss|feed)\b/.test(start) || fileName.endsWith('.gz');
}

function fileNameFromUrl(url: URL): string {
  return decodeOrKeep(url.pathname.split('/').at(-1) ?? '') || url.hostname;
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
