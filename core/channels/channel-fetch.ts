import { Agent, type Dispatcher, interceptors } from 'undici';
import {
  FetchError,
  guardedConnector,
  type ResolveHost,
  requirePublicHost,
  resolveWithSystem,
  toFetchError,
  toHeaders,
} from '../http-client.ts';

interface Options {
  /** Also lets private networks and this machine be called, and anybody by http. */
  readonly allowPrivate: boolean;
  readonly resolveHost?: ResolveHost;
}

interface ChannelFetch {
  readonly fetch: typeof fetch;
  /** The addresses of a host that connections of other protocols may go to. Throws FetchErrors. */
  resolve(host: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** More than any platform has to say at once. */
const maxResponseSize = 16 * 2 ** 20;

/**
 * `fetch` for connectors, on connections that are kept. Private networks are refused, and redirects: both could take
 * tokens where they do not belong. What fails is told with the host alone, as platforms have tokens in their paths.
 */
export function openChannelFetch({ allowPrivate, resolveHost = resolveWithSystem }: Options): ChannelFetch {
  const agent = new Agent({
    maxResponseSize,
    ...(!allowPrivate && { connect: guardedConnector(resolveHost) }),
  });
  const unpacking = agent.compose(interceptors.decompress());
  return {
    async fetch(input, init) {
      const url = requestUrl(input);
      const { protocol, host } = url;
      if (protocol !== 'https:' && !allowPrivate) {
        throw new FetchError('invalid_address', `${host} is called by https only.`);
      }
      try {
        const text = input instanceof Request ? null : toTextCall(url, init);
        if (text !== null) return await postText(unpacking, text);
        // Assigned: the types of the library and those of Node tell of one thing in two versions.
        return await fetch(
          input,
          Object.assign({ redirect: 'error' as const, ...init }, { dispatcher: agent }),
        );
      } catch (error) {
        init?.signal?.throwIfAborted();
        throw toFetchError(error, host);
      }
    },
    async resolve(host) {
      try {
        const addresses = await resolveHost(host);
        if (!allowPrivate) requirePublicHost(host, addresses);
        return addresses.map(({ address }) => address);
      } catch (error) {
        throw toFetchError(error, host);
      }
    },
    close: () => agent.destroy(),
  };
}

function requestUrl(input: Parameters<typeof fetch>[0]): URL {
  const url = URL.parse(input instanceof Request ? input.url : input.toString());
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new FetchError('invalid_address', 'The address of the platform is not an http(s) address.');
}

interface TextCall {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal | null;
}

const redirects: readonly number[] = [301, 302, 303, 307, 308];
const bodylessStatuses: readonly number[] = [204, 205, 304];

/** The call as `postText` makes it; null where it is more than a text with plain headers, or follows redirects. */
function toTextCall(url: URL, init: RequestInit | undefined): TextCall | null {
  const { method = 'GET', headers, body, redirect = 'error', signal = null } = init ?? {};
  if (typeof body !== 'string' || redirect !== 'error') return null;
  if (headers === undefined || headers instanceof Headers || Array.isArray(headers)) return null;
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) given[name.toLowerCase()] = value;
  return 'content-type' in given ? { url, method, headers: given, body, signal } : null;
}

/**
 * What `fetch` comes to for a text that is sent to an API, for a third of the processor that `fetch` takes: two such
 * calls were a sixth of all that a message costs. Throws where it is redirected, and what the connection throws.
 */
async function postText(
  dispatcher: Dispatcher,
  { url, method, headers, body, signal }: TextCall,
): Promise<Response> {
  const answered = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: { accept: '*/*', 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'node', ...headers },
    body,
    signal,
  });
  const { statusCode: status } = answered;
  if (redirects.includes(status)) {
    await answered.body.dump();
    throw new TypeError('redirected');
  }
  const bytes = await answered.body.arrayBuffer();
  return new Response(bodylessStatuses.includes(status) ? null : bytes, {
    status,
    headers: toHeaders(answered.headers),
  });
}
