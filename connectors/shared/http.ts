import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP, type LookupFunction } from 'node:net';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError, type LimitScope, type RetryAdvice } from '../../core/contract/connector-error.ts';
import { FetchError } from '../../core/http-client.ts';

/** Where a platform limits us and does not say for how long. */
const LIMITED_MS = 1_000;

interface RefusedResponse {
  readonly status: number;
  /** The header `Retry-After`, or what stands for it. */
  readonly retryAfter: string | null;
  /** What a 429 is about; 'unsaid' when absent. */
  readonly limited?: LimitScope;
}

/** What the status of a request that was refused, or whose answer is not understood, says of trying it again. */
export function retryAdvice(
  { status, retryAfter, limited = 'unsaid' }: RefusedResponse,
  now: Date,
): RetryAdvice {
  const afterMs = parseRetryAfter(retryAfter, now);
  if (status === 429) return { retry: 'after', afterMs: afterMs ?? LIMITED_MS, limited };
  // Who says that all is well with a body that is not the platform's own is somebody on the way to it.
  const mayPass = status < 300 || status >= 500 || [408, 409, 425].includes(status);
  if (!mayPass) return { retry: 'never' };
  if (afterMs === null) return { retry: 'backoff' };
  // A platform that says when it will be back is not there for anybody.
  return { retry: 'after', afterMs, ...(status >= 500 && { limited: 'account' }) };
}

/** Of a `Retry-After` header: seconds, or a date. */
function parseRetryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.ceil(Number(header) * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

/** A response that refuses, in the platform's own words: 401 tells that the account is not accepted any more. */
export function platformError(
  words: string,
  response: {
    readonly status: number;
    readonly headers: Pick<Headers, 'get'>;
    /** Whether it is not in the platform's own protocol; an overloaded platform (429, 5xx) may well answer so itself. */
    readonly foreign?: boolean;
  },
  now: Date,
): ConnectorError {
  return new ConnectorError(words, {
    advice: retryAdvice({ status: response.status, retryAfter: response.headers.get('retry-after') }, now),
    account: response.status === 401,
    foreign: response.foreign === true && response.status < 500 && response.status !== 429,
  });
}

/**
 * A call that got no response. Errors of `fetch` name the address and what was sent to it: what is secret in that is
 * taken out, and the error itself is left behind for the same reason.
 */
export function unreachableError(
  platform: string,
  error: unknown,
  secrets: readonly string[],
): ConnectorError {
  const reason = secrets.reduce(
    (text, secret) => text.replaceAll(secret, '[secret]'),
    rootCauseMessage(error),
  );
  return new ConnectorError(`${platform} cannot be reached: ${reason}`, { advice: { retry: 'backoff' } });
}

/** The innermost: "fetch failed" says nothing. */
function rootCauseMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it did not answer in time';
  return error.cause instanceof Error ? rootCauseMessage(error.cause) : error.message;
}

/** Compares in a time that tells nothing of either, not even how long they are. An empty secret equals nothing. */
export function isSameSecret(shown: string | undefined, secret: string): boolean {
  if (shown === undefined || secret === '') return false;
  return timingSafeEqual(digest(shown), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Longer ones are refused by browsers and platforms alike. */
const MAX_CHARACTERS = 2_048;

/** An address that a reader may be led to, in its normal form; null for all other schemes and what is no address. */
export function parseWebLink(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  return url.href.length <= MAX_CHARACTERS ? url.href : null;
}

interface Checked {
  readonly settings: { readonly api_base_url?: string | undefined };
}

/**
 * Runs the check of an account. Where the operator chose the address and whatever answers there does not speak the
 * protocol of `platform`, the error says so; any other error is passed on as it is.
 */
export async function expectPlatform<Result>(
  platform: string,
  { settings }: Checked,
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    const host = settings.api_base_url === undefined ? null : URL.parse(settings.api_base_url)?.host;
    if (host == null || !isForeign(error)) throw error;
    throw new ConnectorError(`What answers at ${host} is not ${platform}. Check api_base_url.`, {
      advice: { retry: 'never' },
      cause: error,
    });
  }
}

/** Clients of platforms throw errors of any kind when they read an answer of another shape. */
function isForeign(error: unknown): boolean {
  if (error instanceof ConnectorError) return error.foreign;
  return !(error instanceof FetchError);
}

interface Socket {
  /** What errors call the other side. */
  readonly peer: string;
  /** The address that the socket is opened to. */
  readonly url: string;
}

/**
 * A `lookup` for a socket that is not opened by `fetch`. The host is resolved once, by the guard that keeps private
 * networks out, and the socket can reach only the addresses found then: a name that resolves to something else a moment
 * later changes nothing. Throws a ConnectorError for a refused or unknown host, also where an address stands for a name.
 */
export async function guardedLookup(
  { peer, url }: Socket,
  { resolve }: Pick<Tools, 'resolve'>,
): Promise<LookupFunction> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const addresses = await resolve(host).catch((error: unknown) => {
    throw error instanceof ConnectorError ? error : unreachableError(peer, error, []);
  });
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = found;
    if (first === undefined) callback(new TypeError(`${host} has no address`), '');
    else if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}
