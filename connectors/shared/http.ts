import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP, type LookupFunction } from 'node:net';
import { z } from 'zod';
import { FetchError } from '../../core/base/http-client.ts';
import type { Json, Tools } from '../../core/contract/account.ts';
import { ConnectorError, type LimitScope, type RetryAdvice } from '../../core/contract/connector-error.ts';

/** Pause after a 429 that names no time. */
const LIMITED_MS = 1_000;

interface RefusedResponse {
  readonly status: number;
  /** The `Retry-After` header, or an equivalent of the platform. */
  readonly retryAfter: string | null;
  /** The scope of a 429; 'unsaid' if absent. */
  readonly limited?: LimitScope;
}

/** Returns whether and when to retry a request that was refused, or whose response was not understood. */
export function retryAdvice(
  { status, retryAfter, limited = 'unsaid' }: RefusedResponse,
  now: Date,
): RetryAdvice {
  const afterMs = parseRetryAfter(retryAfter, now);
  if (status === 429) return { retry: 'after', afterMs: afterMs ?? LIMITED_MS, limited };
  // A 2xx with a body that is not the platform's own was sent by a proxy in between, so a retry may help.
  const mayPass = status < 300 || status >= 500 || [408, 409, 425].includes(status);
  if (!mayPass) return { retry: 'never' };
  if (afterMs === null) return { retry: 'backoff' };
  // A 5xx with Retry-After means that the platform is down for every conversation of the account.
  return { retry: 'after', afterMs, ...(status >= 500 && { limited: 'account' }) };
}

/** Parses a `Retry-After` header, in seconds or as a date, into milliseconds. */
function parseRetryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.ceil(Number(header) * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

/**
 * Returns the error for a refused response, in the platform's own words. A 401 means that the credentials are no longer
 * accepted.
 */
export function platformError(
  message: string,
  response: {
    readonly status: number;
    readonly headers: Pick<Headers, 'get'>;
    /**
     * Whether the body is not in the platform's own protocol. Ignored for 429 and 5xx: an overloaded platform sends
     * such bodies itself.
     */
    readonly foreign?: boolean;
  },
  now: Date,
): ConnectorError {
  return new ConnectorError(message, {
    advice: retryAdvice({ status: response.status, retryAfter: response.headers.get('retry-after') }, now),
    account: response.status === 401,
    foreign: response.foreign === true && response.status < 500 && response.status !== 429,
  });
}

/**
 * Returns the error for a request that got no response. Errors of `fetch` contain the address and what was sent, so the
 * secrets are removed and the original error is not attached as the cause.
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

/** The innermost message, because "fetch failed" says nothing. */
function rootCauseMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it did not answer in time';
  return error.cause instanceof Error ? rootCauseMessage(error.cause) : error.message;
}

/** Compares two secrets in constant time, independent of their lengths. An empty secret never matches. */
export function isSameSecret(shown: string | undefined, secret: string): boolean {
  if (shown === undefined || secret === '') return false;
  return timingSafeEqual(digest(shown), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Browsers and platforms refuse longer addresses. */
const MAX_CHARACTERS = 2_048;

/** Returns an address that is safe to link to, normalised; null if it is not a valid http or https address. */
export function parseWebLink(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  return url.href.length <= MAX_CHARACTERS ? url.href : null;
}

interface ProbedAccount {
  readonly settings: { readonly api_base_url?: string | undefined };
}

/**
 * Runs the probe of an account. If the operator set `api_base_url` and the server there does not speak the protocol of
 * `platform`, the error says so. Any other error is rethrown unchanged.
 */
export async function expectPlatform<Result>(
  platform: string,
  { settings }: ProbedAccount,
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    const host = settings.api_base_url === undefined ? null : URL.parse(settings.api_base_url)?.host;
    if (host == null || !isForeign(error)) throw error;
    throw new ConnectorError(`The server at ${host} is not ${platform}. Check api_base_url.`, {
      advice: { retry: 'never' },
      cause: error,
    });
  }
}

/** Client libraries of platforms throw errors of any kind when a response has an unexpected shape. */
function isForeign(error: unknown): boolean {
  if (error instanceof ConnectorError) return error.foreign;
  return !(error instanceof FetchError);
}

interface Socket {
  /** The name of the other side in error messages. */
  readonly peer: string;
  /** The address to connect to. */
  readonly url: string;
}

/**
 * Returns a `lookup` for a socket that is not opened by `fetch`. Resolves the host once, with the guard that blocks
 * private networks, and lets the socket reach only these addresses. This prevents DNS rebinding. Throws a
 * ConnectorError for a refused or unknown host, also if the host is an IP address.
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

const decoder = new TextDecoder();

/** Parses a body as JSON; returns undefined if it is not JSON. */
export function parseJson(body: Uint8Array): Json | undefined {
  try {
    const value: Json = JSON.parse(decoder.decode(body));
    return value;
  } catch {
    return undefined;
  }
}

/** Part of a value that was parsed as JSON before. Validating it again would cost far more than the parsing. */
export const jsonValue = z.custom<Json>((value) => value !== undefined);

/** A field of a platform's payload: null if it is missing or has an unexpected shape. */
export function optionalField<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().catch(null).prefault(null);
}
