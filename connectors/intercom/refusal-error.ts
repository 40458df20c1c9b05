import type { IntercomError } from 'intercom-client';
import { z } from 'zod';
import { ConnectorError, type RetryAdvice } from '../../core/contract/connector-error.ts';
import { lenient } from '../shared/lenient.ts';
import { retryAdvice } from '../shared/retry-advice.ts';

const bodySchema = z.object({
  errors: z.array(z.object({ code: lenient(z.string()), message: lenient(z.string()) })),
});

/** What refuses the whole account, whatever is asked of it. */
const ACCOUNT = /^(unauthorized|token_.*|api_plan_restricted|app_suspended)$/;

type Refused = Pick<IntercomError, 'statusCode' | 'body' | 'rawResponse'>;

/** In Intercom's own words. */
export function refusalError(refused: Refused, now: Date): ConnectorError {
  const status = refused.statusCode ?? 0;
  const read = bodySchema.safeParse(refused.body);
  const [first] = read.data?.errors ?? [];
  const words = first?.message || first?.code || `Intercom answered with status ${status}.`;
  return new ConnectorError(words, {
    advice: adviceOf(status, refused, now),
    account: status === 401 || ACCOUNT.test(first?.code ?? ''),
  });
}

/** Intercom rarely says how long to wait, but always when the next ten seconds begin. */
function adviceOf(status: number, { rawResponse }: Refused, now: Date): RetryAdvice {
  const headers = rawResponse?.headers;
  const after = headers?.get('retry-after') ?? null;
  const reset = Number(headers?.get('x-ratelimit-reset') ?? Number.NaN);
  if (status !== 429 || after !== null || Number.isNaN(reset)) return retryAdvice(status, after, now);
  return { retry: 'after', afterMs: Math.max(0, reset * 1_000 - now.getTime()) };
}
