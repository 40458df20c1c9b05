import { ConnectorError } from '../../core/contract/connector-error.ts';
import { retryAdvice } from './retry-advice.ts';

/** A response that refuses, in the platform's own words: 401 tells that the account is not accepted any more. */
export function platformError(
  words: string,
  response: {
    readonly status: number;
    readonly headers: Pick<Headers, 'get'>;
    /** Whether it is not in the platform's own protocol; an overloaded platform (429, 5xx) may well answer so itself. */
    readonly foreign?: boolean;
  },
  now: Date,
): ConnectorError {
  return new ConnectorError(words, {
    advice: retryAdvice({ status: response.status, retryAfter: response.headers.get('retry-after') }, now),
    account: response.status === 401,
    foreign: response.foreign === true && response.status < 500 && response.status !== 429,
  });
}
