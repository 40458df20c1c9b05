import { ConnectorError, type RetryAdvice } from '../../core/contract/connector-error.ts';
import { retryAdvice } from '../shared/retry-advice.ts';

/** What Discord says where it does not do what it was asked. */
export interface Refusal {
  readonly status: number;
  /** Discord's own: 50013 is a missing permission, 10008 a message that is gone. 0 where it told none. */
  readonly code: number;
  readonly words: string;
  readonly retryAfter: string | null;
  /** Whether we showed the token of the bot. */
  readonly asBot: boolean;
}

export function refusalError({ status, words, retryAfter, asBot }: Refusal, now: Date): ConnectorError {
  const advice: RetryAdvice = retryAdvice(status, retryAfter, now);
  return new ConnectorError(words, { advice, account: asBot && status === 401 });
}
