import { Agent, type Dispatcher, interceptors } from 'undici';
import type { Clock } from '../base/clock.ts';
import {
  FetchError,
  guardedConnector,
  type ResolveHost,
  requirePublicHost,
  resolveWithSystem,
  toFetchError,
  toHeaders,
} from '../base/http-client.ts';
import type { Logger } from '../base/log.ts';
import type { ConnectorThreads } from '../base/threads/thread-pool.ts';
import type { Account, Tools } from '../contract/account.ts';
import { ConnectorError } from '../contract/connector-error.ts';
import type { CallOutcome } from '../metrics/channel-metrics.ts';
import type { OpenedAccount } from './accounts/channel-account.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly fetch: typeof fetch;
  readonly resolve: Tools['resolve'];
  readonly readFile: Tools['readFile'];
  readonly threads: Pick<ConnectorThreads, 'run'>;
  /** The deadline of one call in milliseconds; 15 seconds if absent. */
  readonly deadlineMs?: number;
  /** Counts the outcome of each call. */
  readonly count?: (channel: string, outcome: CallOutcome) => void;
}

/** Calls connectors with a deadline, and provides their tools. */
export class ConnectorCalls {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the tools of a connector for an account. They stop working when `signal` aborts. */
  tools({ id: owner }: Pick<Account, 'id'>, signal: AbortSignal): Tools {
    const { clock, log, fetch, resolve, readFile, threads } = this.#dependencies;
    return {
      resolve,
      readFile,
      fetch: (input, init) =>
        fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal }),
      now: () => clock.now(),
      log: { warn: (facts, text) => log.warn(facts, text) },
      runInThread: (task) => threads.run(task, { owner, signal }),
      signal,
    };
  }

  /**
   * Runs one call of a connector. Throws only `ConnectorError`s, whose messages contain no secret of the account. Any
   * other error is a defect of the connector: it is logged and may be retried.
   */
  async call<Result>(account: OpenedAccount, use: (tools: Tools) => Promise<Result>): Promise<Result> {
    const { deadlineMs = 15_000, count = () => {} } = this.#dependencies;
    const deadline = new AbortController();
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const message = `The platform did not answer within ${deadlineMs / 1_000} seconds.`;
      timeout.reject(new ConnectorError(message, { advice: { retry: 'backoff' } }));
      deadline.abort(new DOMException(message, 'TimeoutError'));
    }, deadlineMs);
    try {
      const result = await Promise.race([use(this.tools(account, deadline.signal)), timeout.promise]);
      count(account.channel, 'ok');
      return result;
    } catch (error) {
      count(account.channel, callOutcome(error));
      throw this.#toConnectorError(error, account);
    } finally {
      clearTimeout(timer);
    }
  }

  #toConnectorError(error: unknown, account: Account): ConnectorError {
    const mask = createSecretMask(account);
    if (error instanceof ConnectorError) {
      const { advice, account: isRefused, unreachable, foreign, untaken } = error;
      const details = { advice, account: isRefused, unreachable, foreign, untaken };
      return new ConnectorError(mask(error.message), details);
    }
    if (error instanceof FetchError) {
      return new ConnectorError(mask(error.message), { advice: { retry: 'backoff' } });
    }
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#dependencies.log.error(
      { channel: account.id, fault: mask(fault) },
      'connector threw an unexpected error',
    );
    return new ConnectorError('Something went wrong on our side. See the service log for details.', {
      advice: { retry: 'backoff' },
    });
  }
}

function callOutcome(error: unknown): CallOutcome {
  if (error instanceof ConnectorError) return error.advice.retry === 'never' ? 'refused' : 'retry';
  return error instanceof FetchError ? 'retry' : 'failed';
}

/** Shorter values are words or port numbers. */
const minSecretLength = 6;

/**
 * Returns a function that replaces the account's secrets in a text with `[secret]`. Platforms repeat the request in their
 * error messages, and some have tokens in their URLs.
 */
export function createSecretMask({ credentials, secret }: Pick<Account, 'credentials' | 'secret'>) {
  const secrets = [...collectTexts(credentials), secret].filter((text) => text.length >= minSecretLength);
  const forms = new Set(secrets.flatMap((text) => [text, encodeURIComponent(text)]));
  const longestFirst = [...forms].sort((one, other) => other.length - one.length);
  return (text: string): string =>
    longestFirst.reduce((rest, form) => rest.replaceAll(form, '[secret]'), text.toWellFormed());
}

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value.toWellFormed()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : [];
}

interface Options {
  /** Also permits private networks, the local host and plain HTTP. */
  readonly allowPrivate: boolean;
  readonly resolveHost?: ResolveHost;
}

interface ChannelFetch {
  readonly fetch: typeof fetch;
  /** Resolves a host to the addresses that connections of other protocols may use. Throws `FetchError`. */
  resolve(host: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Far above the size of any platform's responses. */
const maxResponseSize = 16 * 2 ** 20;

/**
 * Opens `fetch` for connectors, with kept-alive connections. Private networks and redirects are refused, because both
 * could carry tokens to another host. Errors name only the host, because some platforms have tokens in their paths.
 */
export function openChannelFetch({ allowPrivate, resolveHost = resolveWithSystem }: Options): ChannelFetch {
  const agent = new Agent({
    maxResponseSize,
    ...(!allowPrivate && { connect: guardedConnector(resolveHost) }),
  });
  const decompressing = agent.compose(interceptors.decompress());
  return {
    async fetch(input, init) {
      const url = requestUrl(input);
      const { protocol, host } = url;
      if (protocol !== 'https:' && !allowPrivate) {
        throw new FetchError('invalid_address', `${host} must be called over https.`);
      }
      try {
        const text = input instanceof Request ? null : toTextCall(url, init);
        if (text !== null) return await postText(decompressing, text);
        // `Object.assign` avoids a type conflict: undici and Node declare different versions of the dispatcher type.
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
  throw new FetchError('invalid_address', 'The address of the platform must be an http or https URL.');
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

/**
 * Returns the call for `postText`; null if the body is not a string, the headers are not a plain object, or redirects are
 * to be followed.
 */
function toTextCall(url: URL, init: RequestInit | undefined): TextCall | null {
  const { method = 'GET', headers, body, redirect = 'error', signal = null } = init ?? {};
  if (typeof body !== 'string' || redirect !== 'error') return null;
  if (headers === undefined || headers instanceof Headers || Array.isArray(headers)) return null;
  const lowerCaseHeaders: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) lowerCaseHeaders[name.toLowerCase()] = value;
  return 'content-type' in lowerCaseHeaders ? { url, method, headers: lowerCaseHeaders, body, signal } : null;
}

/**
 * Does the work of `fetch` for a string body, with a third of its CPU time: two such calls took a sixth of the CPU time
 * of a whole message. Throws on a redirect, and the errors of the connection.
 */
async function postText(
  dispatcher: Dispatcher,
  { url, method, headers, body, signal }: TextCall,
): Promise<Response> {
  const response = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: { accept: '*/*', 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'node', ...headers },
    body,
    signal,
  });
  const { statusCode: status } = response;
  if (redirects.includes(status)) {
    await response.body.dump();
    throw new TypeError('redirected');
  }
  const bytes = await response.body.arrayBuffer();
  return new Response(bodylessStatuses.includes(status) ? null : bytes, {
    status,
    headers: toHeaders(response.headers),
  });
}
