import type { Clock } from '../clock.ts';
import type { Account, Tools } from '../contract/account.ts';
import { ConnectorError } from '../contract/connector-error.ts';
import { FetchError } from '../http-client.ts';
import type { Logger } from '../log.ts';
import type { CallOutcome } from '../metrics/channel-metrics.ts';
import type { ConnectorThreads } from '../threads/thread-pool.ts';
import type { OpenedAccount } from './channel-account.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly fetch: typeof fetch;
  readonly resolve: Tools['resolve'];
  readonly threads: Pick<ConnectorThreads, 'run'>;
  /** For a whole call; 15 seconds when absent. */
  readonly deadlineMs?: number;
  /** Told what became of each call. */
  readonly count?: (channel: string, outcome: CallOutcome) => void;
}

/** What connectors work with, and calls of them that end. */
export class ConnectorCalls {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** What a connector may use of the world for an account, until `signal` is aborted. */
  tools({ id: owner }: Pick<Account, 'id'>, signal: AbortSignal): Tools {
    const { clock, log, fetch, resolve, threads } = this.#dependencies;
    return {
      resolve,
      fetch: (input, init) =>
        fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal }),
      now: () => clock.now(),
      log: { warn: (facts, text) => log.warn(facts, text) },
      runInThread: (task) => threads.run(task, { owner, signal }),
      signal,
    };
  }

  /** Throws ConnectorErrors and nothing else, none of which holds a secret of the account. */
  async call<Result>(account: OpenedAccount, use: (tools: Tools) => Promise<Result>): Promise<Result> {
    const { deadlineMs = 15_000, count = () => {} } = this.#dependencies;
    const deadline = new AbortController();
    const over = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const late = `The platform did not answer within ${deadlineMs / 1_000} seconds.`;
      over.reject(new ConnectorError(late, { advice: { retry: 'backoff' } }));
      deadline.abort(new DOMException(late, 'TimeoutError'));
    }, deadlineMs);
    try {
      const result = await Promise.race([use(this.tools(account, deadline.signal)), over.promise]);
      count(account.channel, 'ok');
      return result;
    } catch (error) {
      count(account.channel, callOutcome(error));
      throw this.#told(error, account);
    } finally {
      clearTimeout(timer);
    }
  }

  #told(error: unknown, account: Account): ConnectorError {
    const clean = createSecretMask(account);
    if (error instanceof ConnectorError) {
      const { advice, account: isRefused, unreachable, foreign } = error;
      return new ConnectorError(clean(error.message), { advice, account: isRefused, unreachable, foreign });
    }
    if (error instanceof FetchError) {
      return new ConnectorError(clean(error.message), { advice: { retry: 'backoff' } });
    }
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#dependencies.log.error({ channel: account.id, fault: clean(fault) }, 'a connector is at fault');
    return new ConnectorError('Something went wrong on our side: the log says what.', {
      advice: { retry: 'backoff' },
    });
  }
}

function callOutcome(error: unknown): CallOutcome {
  if (error instanceof ConnectorError) return error.advice.retry === 'never' ? 'refused' : 'retry';
  return error instanceof FetchError ? 'retry' : 'failed';
}

/** Shorter ones are words, and ports. */
const minSecretLength = 6;

/**
 * Takes the secrets of an account out of what is shown or logged, wherever they are in it: platforms repeat what they
 * were sent, and some have tokens in their addresses.
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
