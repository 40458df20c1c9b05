import { FetchError, type GuardedResponse } from '../../../base/http-client.ts';
import { DEFAULT_LOADING_LIMITS } from '../../../knowledge/loaders/loader.ts';
import { ItemError, SourceError, type SourceTools } from '../../source-reader.ts';
import { normaliseAddress, type Site } from '../address.ts';
import { ALLOW_ALL, parseRobots, type RobotsRules } from './robots.ts';

/** Robots know us by this name. */
const PRODUCT = 'parley';
const USER_AGENT = 'Parley/0.1 (website source)';
const ACCEPT = 'text/html, application/pdf, text/markdown, text/plain;q=0.9, */*;q=0.5';
const TIMEOUT_MS = 20_000;
const ROBOTS_BYTES = 5_000_000;
/** Of HTML. */
export const MAX_PAGE_BYTES = 5 * 1024 * 1024;
/** Longer waits end the slice of the run. */
const MAX_WAIT_MS = 5_000;
const DEFAULT_RETRY_MS = 60_000;
const MAX_RETRY_MS = 86_400_000;
const MAX_ATTEMPTS = 3;
const MAX_REDIRECTS = 5;
/** The pages that are requested ahead, and some more. */
const MAX_KEPT = 30;
const MAX_KEPT_BYTES = 1_000_000;
/** The number of requests in a row to an unreachable host that ends the run. */
const MAX_UNREACHABLE = 5;

export interface SiteRequest {
  readonly accept?: string;
  /** `If-None-Match` and `If-Modified-Since`. */
  readonly conditions?: Readonly<Record<string, string>>;
  readonly maxBytes?: number;
}

/** A response after redirects within the site. `address` is normalised. */
export interface SiteAnswer {
  readonly kind: 'answer';
  readonly address: string;
  readonly response: GuardedResponse;
}

export type Followed =
  | SiteAnswer
  /** A redirect leads to another website. */
  | { readonly kind: 'outside'; readonly target: string }
  /** A redirect leads to a page that robots must not read. */
  | { readonly kind: 'disallowed'; readonly target: string };

interface ClientOptions {
  readonly site: Site;
  /** The headers that sign in to the site, for an address. */
  readonly signIn: (address: string) => Readonly<Record<string, string>>;
  readonly tools: SourceTools;
  readonly requestsPerSecond: number;
}

/** Requests the pages of a site as a polite robot does: by `robots.txt`, each at its turn, and slower if asked to. */
export class SiteClient {
  readonly #options: ClientOptions;
  readonly #robots = new Map<string, Promise<RobotsRules>>();
  readonly #delays = new Map<string, number>();
  readonly #kept = new Map<string, SiteAnswer>();
  #unreachable = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Reads `robots.txt` of the address's host once. If it cannot be read, nothing is allowed: throws a SourceError, or an
   * ItemError for a subdomain.
   */
  robots(address: string): Promise<RobotsRules> {
    const { origin } = new URL(address);
    const known = this.#robots.get(origin);
    if (known !== undefined) return known;
    const rules = this.#readRobots(origin);
    // The caller awaits it as well; a second caller may come later.
    rules.catch(() => undefined);
    this.#robots.set(origin, rules);
    return rules;
  }

  async isAllowed(address: string): Promise<boolean> {
    return (await this.robots(address)).isAllowed(address);
  }

  /** Keeps an answer for the next request of its address, which is usually the very next one. */
  keep(answer: SiteAnswer): void {
    for (const address of this.#kept.keys()) if (this.#kept.size >= MAX_KEPT) this.#kept.delete(address);
    if (answer.response.bytes.byteLength <= MAX_KEPT_BYTES) this.#kept.set(answer.address, answer);
  }

  /** Follows redirects within the site. Throws an ItemError, or a SourceError if the site asks for a long pause. */
  async follow(address: string, request: SiteRequest = {}): Promise<Followed> {
    const kept = this.#kept.get(address);
    if (kept !== undefined) {
      this.#kept.delete(address);
      return kept;
    }
    const { cookies } = this.#options.tools.session;
    const seen = new Set<string>();
    let current = address;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      seen.add(`${current} ${cookies.changes}`);
      const response = await this.#request(current, hops === 0 ? request : { ...request, conditions: {} });
      const location = response.headers.get('location');
      if (location === null || response.status < 301 || response.status > 308) {
        return { kind: 'answer', address: normaliseAddress(current) ?? current, response };
      }
      const next = URL.parse(location, current);
      if (next === null || !this.#options.site.includes(next.href))
        return { kind: 'outside', target: next?.href ?? location };
      next.hash = '';
      if (!(await this.isAllowed(next.href))) return { kind: 'disallowed', target: next.href };
      // With another cookie the same address may answer otherwise.
      if (seen.has(`${next.href} ${cookies.changes}`)) {
        throw new ItemError(
          'redirect_loop',
          `${address} redirects in a circle. Correct the redirects of the website, or exclude the page.`,
        );
      }
      current = next.href;
    }
    throw new ItemError(
      'too_many_redirects',
      `${address} redirects more than ${MAX_REDIRECTS} times. Link to the final address instead.`,
    );
  }

  /** Requests an address once its turn has come, again after a short pause that the host asks for. */
  async #request(address: string, request: SiteRequest): Promise<GuardedResponse> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#send(address, request);
      if (response.status !== 429 && response.status !== 503) return response;
      const asked = parseRetryAfter(response.headers.get('retry-after'), this.#options.tools.now());
      // A page that fails without asking for a pause is a failure of that page.
      if (asked === null && response.status === 503) return response;
      const pause = asked ?? DEFAULT_RETRY_MS;
      if (pause > MAX_WAIT_MS || attempt === MAX_ATTEMPTS) {
        const retryAfterMs = Math.min(Math.max(pause, MAX_WAIT_MS), MAX_RETRY_MS);
        throw new SourceError(
          'rate_limited',
          `${new URL(address).host} asks for a pause (status ${response.status}). Lower the requests per second if this happens often.`,
          { retryAfterMs },
        );
      }
      await this.#options.tools.wait(pause);
    }
  }

  async #send(address: string, request: SiteRequest): Promise<GuardedResponse> {
    await this.waitForTurn(address);
    const { tools } = this.#options;
    try {
      const response = await tools.fetch(address, {
        headers: {
          ...{ accept: request.accept ?? ACCEPT, 'user-agent': USER_AGENT, ...request.conditions },
          ...this.#personalHeaders(address),
        },
        maxBytes: request.maxBytes ?? DEFAULT_LOADING_LIMITS.maxFileBytes,
        limitFor: limitOfPages,
        timeoutMs: TIMEOUT_MS,
        keepRedirects: true,
        signal: tools.signal,
      });
      this.#unreachable = 0;
      tools.session.cookies.store(address, response.headers.getSetCookie(), tools.now());
      return response;
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      throw this.#toSourceFailure(address, error);
    }
  }

  #toSourceFailure(address: string, cause: FetchError): ItemError | SourceError {
    this.#unreachable = cause.code === 'host_unreachable' ? this.#unreachable + 1 : 0;
    if (this.#unreachable >= MAX_UNREACHABLE) {
      this.#unreachable = 0;
      return new SourceError('host_unreachable', cause.message, { cause, retryAfterMs: DEFAULT_RETRY_MS });
    }
    return new ItemError(cause.code, describeFailure(address, cause), { cause });
  }

  /** Cookies that a person gave come first. */
  #personalHeaders(address: string): Readonly<Record<string, string>> {
    const { tools, signIn } = this.#options;
    const given = signIn(address);
    const cookies = [given.cookie, tools.session.cookies.headerFor(address, tools.now())]
      .filter((part) => part !== undefined && part !== null)
      .join('; ');
    return { ...given, ...(cookies !== '' && { cookie: cookies }) };
  }

  /** Reserves the host's next turn at once, so that reads at the same time keep the distance too. */
  async waitForTurn(address: string): Promise<void> {
    const { host, origin } = new URL(address);
    const { tools, requestsPerSecond } = this.#options;
    const { turns } = tools.session;
    const now = tools.now().getTime();
    const turn = Math.max(now, turns.get(host) ?? 0);
    turns.set(host, turn + Math.max(1_000 / requestsPerSecond, this.#delays.get(origin) ?? 0));
    if (turn > now) await tools.wait(turn - now);
  }

  async #readRobots(origin: string): Promise<RobotsRules> {
    const address = `${origin}/robots.txt`;
    const response = await this.#fetchRobots(address);
    // RFC 9309: without such a file everything is allowed; if the host cannot tell, nothing is.
    if (response.status >= 400 && response.status < 500) return ALLOW_ALL;
    if (response.status !== 200) throw this.#robotsError(address, `status ${response.status}`);
    const rules = parseRobots(new TextDecoder().decode(response.bytes), PRODUCT);
    this.#delays.set(origin, rules.delayMs);
    return rules;
  }

  #robotsError(address: string, reason: string, cause?: FetchError): SourceError | ItemError {
    const message = `${address} cannot be read (${reason}). Nothing of this host is read until it answers with the file, or with status 404.`;
    if (!this.#options.site.isMainHost(address))
      return new ItemError('robots_unreachable', message, { cause });
    // Waiting does not make an address public.
    if (cause?.code === 'address_refused')
      return new SourceError('address_refused', describeFailure(address, cause), { cause });
    return new SourceError('robots_unreachable', message, { retryAfterMs: DEFAULT_RETRY_MS, cause });
  }

  async #fetchRobots(address: string): Promise<GuardedResponse> {
    await this.waitForTurn(address);
    try {
      return await this.#options.tools.fetch(address, {
        headers: {
          ...{ accept: 'text/plain, */*;q=0.5', 'user-agent': USER_AGENT },
          ...this.#personalHeaders(address),
        },
        maxBytes: ROBOTS_BYTES,
        timeoutMs: TIMEOUT_MS,
        signal: this.#options.tools.signal,
      });
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      throw this.#robotsError(address, error.message, error);
    }
  }
}

/** Larger pages are not read, so they need not be fetched to their end. */
function limitOfPages(headers: Pick<Headers, 'get'>): number {
  return isPage(headers) ? MAX_PAGE_BYTES : Number.POSITIVE_INFINITY;
}

function isPage(headers: Pick<Headers, 'get'> | null): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(headers?.get('content-type') ?? '');
}

export function describeLargePage(address: string): string {
  return `${address} has more than ${MAX_PAGE_BYTES / 2 ** 20} MB of HTML. Split it into smaller pages, or exclude it.`;
}

function describeFailure(address: string, error: FetchError): string {
  switch (error.code) {
    case 'too_large':
      if (isPage(error.headers)) return describeLargePage(address);
      return `${address} is larger than ${Math.floor(DEFAULT_LOADING_LIMITS.maxFileBytes / 2 ** 20)} MB. Split it into smaller pages, or exclude it.`;
    case 'timed_out':
      return `${address} did not answer within ${TIMEOUT_MS / 1_000} seconds. The next run tries again; exclude the page if it is always slow.`;
    case 'address_refused':
      return `${error.message} Only public addresses are read.`;
    default:
      return error.message;
  }
}

/** Reads `Retry-After`: seconds or a date. Null for anything else. */
function parseRetryAfter(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : Math.max(0, time - now.getTime());
}
