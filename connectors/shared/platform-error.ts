import { ConnectorError } from '../../core/contract/connector-error.ts';
import { retryAdvice } from './retry-advice.ts';

/** A response that refuses, in the platform's own words: 401 tells that the account is not accepted any more. */
export function platformError(
  words: string,
  response: { readonly status: number; readonly headers: Pick<Headers, 'get'> },
  now: Date,
): ConnectorError {
  return new ConnectorError(words, {
    advice: retryAdvice({ status: response.status, retryAfter: response.headers.get('retry-after') }, now),
    account: response.status === 401,
  });
}
