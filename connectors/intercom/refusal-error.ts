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

/** What Intercom does not do, in its own words. */
export class RefusalError extends ConnectorError {
  /** What was to be said is at fault, and not who says it, or where. */
  readonly ofContent: boolean;

  constructor(refused: Refused, now: Date) {
    const status = refused.statusCode ?? 0;
    const [first] = bodySchema.safeParse(refused.body).data?.errors ?? [];
    const words = first?.message || first?.code || `Intercom answered with status ${status}.`;
    super(words, {
      advice: adviceOf(status, refused, now),
      account: status === 401 || ACCOUNT.test(first?.code ?? ''),
      unreachable: status === 404 || status === 410,
      foreign: first === undefined && status < 500 && status !== 429,
    });
    this.ofContent = [400, 422].includes(status) && !/admin|assignee/i.test(words);
  }
}

/** Intercom rarely says how long to wait, but always when the next ten seconds begin. */
function adviceOf(status: number, { rawResponse }: Refused, now: Date): RetryAdvice {
  const headers = rawResponse?.headers;
  const after = headers?.get('retry-after') ?? null;
  const reset = headers?.get('x-ratelimit-reset') ?? null;
  if (status !== 429 || after !== null || !/^\d+$/.test(reset ?? '')) {
    return retryAdvice({ status, retryAfter: after, limited: 'account' }, now);
  }
  const afterMs = Math.max(0, Number(reset) * 1_000 - now.getTime());
  return { retry: 'after', afterMs, limited: 'account' };
}
