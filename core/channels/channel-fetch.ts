import { Agent, interceptors } from 'undici';
import { FetchError } from '../fetch-error.ts';
import { fetchFailure } from '../fetch-failure.ts';
import { guardedConnector, type ResolveHost, requirePublic } from '../guarded-connector.ts';
import { resolveBySystem } from '../resolve-by-system.ts';
import { postText, textCallOf } from './post-text.ts';

interface Options {
  /** Also lets private networks and this machine be called, and anybody by http. */
  readonly allowPrivate: boolean;
  readonly resolveHost?: ResolveHost;
}

export interface ChannelFetch {
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
export function openChannelFetch({ allowPrivate, resolveHost = resolveBySystem }: Options): ChannelFetch {
  const agent = new Agent({
    maxResponseSize,
    ...(!allowPrivate && { connect: guardedConnector(resolveHost) }),
  });
  const unpacking = agent.compose(interceptors.decompress());
  return {
    async fetch(input, init) {
      const url = addressOf(input);
      const { protocol, host } = url;
      if (protocol !== 'https:' && !allowPrivate) {
        throw new FetchError('invalid_address', `${host} is called by https only.`);
      }
      try {
        const text = input instanceof Request ? null : textCallOf(url, init);
        if (text !== null) return await postText(unpacking, text);
        // Assigned: the types of the library and those of Node tell of one thing in two versions.
        return await fetch(
          input,
          Object.assign({ redirect: 'error' as const, ...init }, { dispatcher: agent }),
        );
      } catch (error) {
        init?.signal?.throwIfAborted();
        throw fetchFailure(error, host);
      }
    },
    async resolve(host) {
      try {
        const addresses = await resolveHost(host);
        if (!allowPrivate) requirePublic(host, addresses);
        return addresses.map(({ address }) => address);
      } catch (error) {
        throw fetchFailure(error, host);
      }
    },
    close: () => agent.destroy(),
  };
}

function addressOf(input: Parameters<typeof fetch>[0]): URL {
  const url = URL.parse(input instanceof Request ? input.url : input.toString());
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new FetchError('invalid_address', 'The address of the platform is not an http(s) address.');
}
