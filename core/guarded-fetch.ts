import { Agent, fetch, type Response } from 'undici';
import { within } from './contract/within.ts';
import { FetchError } from './fetch-error.ts';
import { fetchFailure } from './fetch-failure.ts';
import { guardedConnector, type ResolveHost } from './guarded-connector.ts';
import { resolveBySystem } from './resolve-by-system.ts';

export interface GuardedRequest {
  readonly method?: string;
  /** Sent to the first origin only, `Accept` and `User-Agent` excepted: they may hold secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Of the response's body, after decompression. */
  readonly maxBytes: number;
  /** For all of it: redirects and body included. */
  readonly timeoutMs: number;
  /** 5 when absent. */
  readonly maxRedirects?: number;
  /** Also lets hosts of private networks and this machine be called. */
  readonly allowPrivate?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly resolveHost?: ResolveHost;
}

export interface GuardedResponse {
  /** Where the response came from in the end, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Pick<Headers, 'get' | 'has'>;
  readonly bytes: Uint8Array;
}

/**
 * Calls an http(s) address that somebody else chose. Hosts of private networks are refused at every hop, and the
 * size, the time and the number of redirects are bounded. Any status is a response.
 * Throws a FetchError, or the reason of `signal` when that aborts.
 */
export async function guardedFetch(address: string, request: GuardedRequest): Promise<GuardedResponse> {
  const agent = new Agent(
    request.allowPrivate === true
      ? {}
      : { connect: guardedConnector(request.resolveHost ?? resolveBySystem) },
  );
  try {
    return await within(request, (signal) => follow(parseAddress(address), request, { agent, signal }));
  } catch (error) {
    request.signal?.throwIfAborted();
    throw fetchFailure(error, address);
  } finally {
    await agent.destroy();
  }
}

interface Means {
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

async function follow(first: URL, request: GuardedRequest, means: Means): Promise<GuardedResponse> {
  const limit = request.maxRedirects ?? 5;
  let url = first;
  let { method = 'GET', body } = request;
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(url, {
      method,
      body: body ?? null,
      headers: headersFor(url, first, request.headers ?? {}),
      redirect: 'manual',
      dispatcher: means.agent,
      signal: means.signal,
    });
    const location = response.headers.get('location');
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) {
      const bytes = await readBody(response, request.maxBytes);
      return { url: url.href, status: response.status, headers: response.headers, bytes };
    }
    await response.body?.cancel();
    if (hops === limit)
      throw new FetchError('too_many_redirects', `${first.href} redirects more than ${limit} times.`);
    url = parseAddress(location, url);
    if (becomesGet(response.status, method)) [method, body] = ['GET', undefined];
  }
}

/** As browsers do it, and the fetch standard says. */
function becomesGet(status: number, method: string): boolean {
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
      `${url.host}: an address with a user name or password is not called.`,
    );
  }
  url.hash = '';
  return url;
}

function headersFor(url: URL, first: URL, headers: Readonly<Record<string, string>>): Record<string, string> {
  const harmless = ['accept', 'user-agent'];
  const sent = Object.entries(headers).filter(
    ([name]) => url.origin === first.origin || harmless.includes(name.toLowerCase()),
  );
  return Object.fromEntries(sent);
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.byteLength;
    if (length > maxBytes) {
      throw new FetchError(
        'too_large',
        `The response is larger than ${maxBytes.toLocaleString('en')} bytes.`,
      );
    }
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}
