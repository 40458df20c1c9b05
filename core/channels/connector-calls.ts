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
  /** The deadline of one call in milliseconds; 15 seconds if absent. */
  readonly deadlineMs?: number;
  /** Called with the outcome of each call. */
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
      const { advice, account: isRefused, unreachable, foreign } = error;
      return new ConnectorError(mask(error.message), { advice, account: isRefused, unreachable, foreign });
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
