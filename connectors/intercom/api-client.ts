import type { IntercomClient, IntercomError } from 'intercom-client';
import { z } from 'zod';
import { withDeadline } from '../../core/contract/abort-signal.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError, type RetryAdvice } from '../../core/contract/connector-error.ts';
import { retryAdvice, unreachableError } from '../shared/http.ts';
import { optionalField } from '../shared/payload.ts';
import { type IntercomAccount, resolveHosts } from './manifest.ts';

export type CallTools = Pick<Tools, 'fetch' | 'signal' | 'now'>;

const TIMEOUT_MS = 14_000;
/** The client's own, which says nothing of why. */
const CLIENT_TIMEOUT_S = 20;

/**
 * Calls Intercom by its own client, which neither tries again nor waits: that is done from outside, where it survives a
 * restart. Throws ConnectorErrors.
 */
export async function callIntercom<Result>(
  call: (client: IntercomClient) => Promise<Result>,
  account: Pick<IntercomAccount, 'credentials' | 'settings'>,
  { fetch, signal, now }: CallTools,
): Promise<Result> {
  // Hundreds of files, which an installation without Intercom need not read.
  const { IntercomClient, IntercomError } = await import('intercom-client');
  const { access_token, client_secret } = account.credentials;
  let failure: unknown;
  const open = (ends: AbortSignal) =>
    new IntercomClient({
      token: access_token,
      baseUrl: resolveHosts(account.settings).api,
      maxRetries: 0,
      timeoutInSeconds: CLIENT_TIMEOUT_S,
      fetch: async (input, init) => {
        try {
          return await fetch(input, { ...init, redirect: 'error', signal: ends });
        } catch (error) {
          // The client keeps no more than its words.
          failure = error;
          throw error;
        }
      },
    });
  try {
    return await withDeadline({ timeoutMs: TIMEOUT_MS, signal }, (ends) => call(open(ends)));
  } catch (error) {
    if (error instanceof ConnectorError) throw error;
    const refused = error instanceof IntercomError && error.statusCode !== undefined ? error : null;
    if (refused !== null) throw new RefusalError(refused, now());
    throw unreachableError('Intercom', failure ?? error, [access_token, client_secret]);
  }
}

const bodySchema = z.object({
  errors: z.array(z.object({ code: optionalField(z.string()), message: optionalField(z.string()) })),
});

/** What refuses the whole account, whatever is asked of it. */
const ACCOUNT = /^(unauthorized|token_.*|api_plan_restricted|app_suspended)$/;

type Refused = Pick<IntercomError, 'statusCode' | 'body' | 'rawResponse'>;

/** What Intercom does not do, in its own words. */
export class RefusalError extends ConnectorError {
  /** What was to be said is at fault, and not who says it, or where. */
  readonly ofContent: boolean;

  constructor(refused: Refused, now: Date) {
    const status = refused.statusCode ?? 0;
    const [first] = bodySchema.safeParse(refused.body).data?.errors ?? [];
    const words = first?.message || first?.code || `Intercom answered with status ${status}.`;
    super(words, {
      advice: retryAdviceFor(status, refused, now),
      account: status === 401 || ACCOUNT.test(first?.code ?? ''),
      unreachable: status === 404 || status === 410,
      foreign: first === undefined && status < 500 && status !== 429,
    });
    this.ofContent = [400, 422].includes(status) && !/admin|assignee/i.test(words);
  }
}

/** Intercom rarely says how long to wait, but always when the next ten seconds begin. */
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
