import type { IntercomClient, IntercomError } from 'intercom-client';
import { z } from 'zod';
import { withDeadline } from '../../core/contract/abort-signal.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError, type RetryAdvice } from '../../core/contract/connector-error.ts';
import { optionalField, retryAdvice, unreachableError } from '../shared/http.ts';
import { type IntercomAccount, resolveHosts } from './manifest.ts';

export type CallTools = Pick<Tools, 'fetch' | 'signal' | 'now'>;

const TIMEOUT_MS = 14_000;
/** The client's own timeout is longer, because its error does not contain the cause. */
const CLIENT_TIMEOUT_S = 20;

/**
 * Calls Intercom through its client, with the client's retries off: the outbox decides about retries, which survive a
 * restart. Throws a ConnectorError for every failure, a RefusalError if Intercom refuses.
 */
export async function callIntercom<Result>(
  call: (client: IntercomClient) => Promise<Result>,
  account: Pick<IntercomAccount, 'credentials' | 'settings'>,
  { fetch, signal, now }: CallTools,
): Promise<Result> {
  // The package has hundreds of files, so it is loaded with the first call.
  const { IntercomClient, IntercomError } = await import('intercom-client');
  const { access_token, client_secret } = account.credentials;
  let failure: unknown;
  const open = (deadline: AbortSignal) =>
    new IntercomClient({
      token: access_token,
      baseUrl: resolveHosts(account.settings).api,
      maxRetries: 0,
      timeoutInSeconds: CLIENT_TIMEOUT_S,
      fetch: async (input, init) => {
        try {
          return await fetch(input, { ...init, redirect: 'error', signal: deadline });
        } catch (error) {
          // The client's error contains only the message, so the cause is kept here.
          failure = error;
          throw error;
        }
      },
    });
  try {
    return await withDeadline({ timeoutMs: TIMEOUT_MS, signal }, (deadline) => call(open(deadline)));
  } catch (error) {
    if (error instanceof ConnectorError) throw error;
    const refusal = error instanceof IntercomError && error.statusCode !== undefined ? error : null;
    if (refusal !== null) throw new RefusalError(refusal, now());
    throw unreachableError('Intercom', failure ?? error, [access_token, client_secret]);
  }
}

const bodySchema = z.object({
  errors: z.array(z.object({ code: optionalField(z.string()), message: optionalField(z.string()) })),
});

/** Error codes that concern the whole account. */
const ACCOUNT = /^(unauthorized|token_.*|api_plan_restricted|app_suspended)$/;

type Refused = Pick<IntercomError, 'statusCode' | 'body' | 'rawResponse'>;

/** An error response of Intercom, with its message. */
export class RefusalError extends ConnectorError {
  /** Whether Intercom refused the content, and not the teammate or the conversation. */
  readonly ofContent: boolean;

  constructor(refused: Refused, now: Date) {
    const status = refused.statusCode ?? 0;
    const [first] = bodySchema.safeParse(refused.body).data?.errors ?? [];
    const message = first?.message || first?.code || `Intercom responded with status ${status}.`;
    super(message, {
      advice: retryAdviceFor(status, refused, now),
      account: status === 401 || ACCOUNT.test(first?.code ?? ''),
      unreachable: status === 404 || status === 410,
      foreign: first === undefined && status < 500 && status !== 429,
    });
    this.ofContent = [400, 422].includes(status) && !/admin|assignee/i.test(message);
  }
}

/** Intercom rarely sends `Retry-After`, but always `X-RateLimit-Reset`: when the next ten-second window begins. */
function retryAdviceFor(status: number, { rawResponse }: Refused, now: Date): RetryAdvice {
  const headers = rawResponse?.headers;
  const after = headers?.get('retry-after') ?? null;
  const reset = headers?.get('x-ratelimit-reset') ?? null;
  if (status !== 429 || after !== null || !/^\d+$/.test(reset ?? '')) {
    return retryAdvice({ status, retryAfter: after, limited: 'account' }, now);
  }
  const afterMs = Math.max(0, Number(reset) * 1_000 - now.getTime());
  return { retry: 'after', afterMs, limited: 'account' };
}
