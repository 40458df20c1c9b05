import { ConnectorError, type Limited } from '../../core/contract/connector-error.ts';
import { retryAdvice } from '../shared/retry-advice.ts';

/** What Discord says where it does not do what it was asked. */
export interface Refusal {
  readonly status: number;
  /** Discord's own: 50013 is a missing permission, 10008 a message that is gone. 0 where it told none. */
  readonly code: number;
  readonly words: string;
  readonly retryAfter: string | null;
  /** What a 429 is about. */
  readonly limited: Limited;
  /** Whether we showed the token of the bot. */
  readonly asBot: boolean;
  /** Whether it came without the words in which Discord refuses. */
  readonly foreign?: boolean;
}

/**
 * A channel or thread that is gone, or that we do not see any more; who blocked us, left the last server that we share, or
 * takes no messages from it; a thread that was locked.
 */
const UNREACHABLE = [10_003, 50_001, 50_007, 50_083];

export function refusalError(refusal: Refusal, now: Date): ConnectorError {
  const { status, code, words, retryAfter, limited, asBot } = refusal;
  const foreign = refusal.foreign === true && status < 500 && status !== 429;
  const advice = retryAdvice({ status, retryAfter, limited }, now);
  const unreachable = UNREACHABLE.includes(code);
  return new ConnectorError(words, { advice, account: asBot && status === 401, unreachable, foreign });
}
