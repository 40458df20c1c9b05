import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector, type Dispatcher, fetch, type Response } from 'undici';
import { withDeadline } from '../contract/abort-signal.ts';

/** Stable codes of failures of outgoing requests. */
export type FetchErrorCode =
  | 'invalid_address'
  | 'address_refused'
  | 'host_unreachable'
  | 'timed_out'
  | 'too_large'
  | 'too_many_redirects';

/**
 * An outgoing request without a usable response. `message` is a sentence for the person who configured the URL.
 */
export class FetchError extends Error {
  readonly code: FetchErrorCode;
  /** The headers of a response that is too large. */
  readonly headers: Pick<Headers, 'get'> | null;

  constructor(
    code: FetchErrorCode,
    message: string,
    { headers = null, ...options }: ErrorOptions & { readonly headers?: Pick<Headers, 'get'> | null } = {},
  ) {
    super(message, options);
    this.name = 'FetchError';
    this.code = code;
    this.headers = headers;
  }
}

/** Converts an error of a request to `target` into a FetchError, using the reason in its chain of causes. */
export function toFetchError(error: unknown, target: string): FetchError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FetchError) return cause;
    if (cause.name === 'TimeoutError') {
      return new FetchError('timed_out', `${target} did not answer in time.`, { cause: error });
    }
    if ('code' in cause && typeof cause.code === 'string') {
      return new FetchError(
        'host_unreachable',
        `${target} cannot be reached: ${describeFailure(cause.code)}.`,
        {
          cause: error,
        },
      );
    }
  }
  return new FetchError('host_unreachable', `${target} gave no valid response.`, { cause: error });
}

function describeFailure(code: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name cannot be resolved';
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  return code.includes('CERT') || code.includes('TLS') || code.includes('SIGNATURE')
    ? `its certificate is not trusted (${code})`
    : `the connection failed (${code})`;
}

const globalUnicastIpv6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Returns true if an IP address belongs to the public internet. False for loopback, private and link-local
 * networks, reserved ranges, and ranges that embed an IPv4 address in an IPv6 one. Mapped IPv4 addresses
 * (`::ffff:10.0.0.1`) are judged as IPv4.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(globalUnicastIpv6);
}

/** Resolves a host name to all its addresses. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Returns a connector that only connects to public addresses. It checks the very address that the socket
 * connects to, so a DNS change after an earlier check (DNS rebinding) has no effect.
 */
export function guardedConnector(resolveHost: ResolveHost): buildConnector.connector {
  const connect = buildConnector({ lookup: guardedLookup(resolveHost) });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isPublicAddress(host)) callback(privateAddressError(host, host), null);
    else connect(options, callback);
  };
}

function guardedLookup(resolveHost: ResolveHost): LookupFunction {
  return (hostname, options, callback) => {
    resolveHost(hostname).then(
      (addresses) => {
        const refused = findPrivateAddressError(hostname, addresses);
        const [first] = addresses;
        if (refused !== null) callback(refused, '');
        else if (options.all === true) callback(null, addresses);
        else if (first !== undefined) callback(null, first.address, first.family);
        else callback(new FetchError('host_unreachable', `${hostname} has no address.`), '');
      },
      (error: unknown) => callback(error instanceof Error ? error : new TypeError(String(error)), ''),
    );
  };
}

/** Throws a FetchError if any address of the host is not public. */
export function requirePublicHost(host: string, addresses: readonly LookupAddress[]): void {
  const refused = findPrivateAddressError(host, addresses);
  if (refused !== null) throw refused;
}

function findPrivateAddressError(host: string, addresses: readonly LookupAddress[]): FetchError | null {
  const refused = addresses.find(({ address }) => !isPublicAddress(address));
  return refused === undefined ? null : privateAddressError(host, refused.address);
}

function privateAddressError(host: string, address: string): FetchError {
  const target = host === address ? address : `${host} (${address})`;
  return new FetchError('address_refused', `${target} is not a public address.`);
}

/** Resolves names as other programs on this machine do. */
export const resolveWithSystem: ResolveHost = (hostname) => lookup(hostname, { all: true });

export interface GuardedRequest {
  readonly method?: string;
  /** Headers for the first origin only, except `Accept` and `User-Agent`, because headers may contain secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Limit of the response body after decompression. */
  readonly maxBytes: number;
  /** A lower limit for some responses. */
  readonly limitFor?: (headers: Pick<Headers, 'get'>) => number;
  /** Limit of the whole request, including redirects and body. */
  readonly timeoutMs: number;
  /** Default: 5. */
  readonly maxRedirects?: number;
  /** Returns a redirect as the response, with its `Location` header. */
  readonly keepRedirects?: boolean;
  /** Also allows hosts in private networks and this machine. */
  readonly allowPrivate?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly resolveHost?: ResolveHost;
}

export interface GuardedResponse {
  /** URL of the response, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Pick<Headers, 'get' | 'has' | 'getSetCookie'>;
  readonly bytes: Uint8Array;
}

/**
 * Requests an http(s) URL that an untrusted party chose. Rejects hosts in private networks at every redirect,
 * and limits size, time and redirects. Any status counts as a response. Throws a FetchError, or the reason of
 * `signal` if it aborts.
 */
export async function guardedFetch(address: string, request: GuardedRequest): Promise<GuardedResponse> {
  const agent = new Agent(
    request.allowPrivate === true
      ? {}
      : { connect: guardedConnector(request.resolveHost ?? resolveWithSystem) },
  );
  try {
    return await withDeadline(request, (signal) =>
      followRedirect(parseAddress(address), request, { agent, signal }),
    );
  } catch (error) {
    request.signal?.throwIfAborted();
    throw toFetchError(error, address);
  } finally {
    await agent.destroy();
  }
}

interface FetchOptions {
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

async function followRedirect(
  first: URL,
  request: GuardedRequest,
  connection: FetchOptions,
): Promise<GuardedResponse> {
  const limit = request.maxRedirects ?? 5;
  let url = first;
  let { method = 'GET', body } = request;
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(url, {
      method,
      body: body ?? null,
      headers: headersFor(url, first, request.headers ?? {}),
      redirect: 'manual',
      dispatcher: connection.agent,
      signal: connection.signal,
    });
    const location = response.headers.get('location');
    const isRedirect = location !== null && [301, 302, 303, 307, 308].includes(response.status);
    if (!isRedirect || request.keepRedirects === true) {
      const limit = Math.min(request.maxBytes, request.limitFor?.(response.headers) ?? request.maxBytes);
      const bytes = await readBody(response, limit);
      return { url: url.href, status: response.status, headers: response.headers, bytes };
    }
    await response.body?.cancel();
    if (hops === limit)
      throw new FetchError('too_many_redirects', `${first.href} redirects more than ${limit} times.`);
    url = parseAddress(location, url);
    if (changesToGet(response.status, method)) [method, body] = ['GET', undefined];
  }
}

/** As browsers do and the fetch standard defines. */
function changesToGet(status: number, method: string): boolean {
  return status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST';
}

function parseAddress(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new FetchError('invalid_address', `${address} is not an http(s) address.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new FetchError(
      'invalid_address',
      `${url.host}: addresses with a user name or password are not allowed.`,
    );
  }
  url.hash = '';
  return url;
}

function headersFor(url: URL, first: URL, headers: Readonly<Record<string, string>>): Record<string, string> {
  const publicHeaders = ['accept', 'user-agent'];
  const sent = Object.entries(headers).filter(
    ([name]) => url.origin === first.origin || publicHeaders.includes(name.toLowerCase()),
  );
  return Object.fromEntries(sent);
}

/** A body whose length is stated is refused before it is sent. */
async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const { headers } = response;
  const tooLarge = () =>
    new FetchError('too_large', `The response is larger than ${maxBytes.toLocaleString('en')} bytes.`, {
      headers,
    });
  if (Number(headers.get('content-length')) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.byteLength;
    if (length > maxBytes) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

/** Converts undici response headers to the web's `Headers`. */
export function toHeaders(received: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}
