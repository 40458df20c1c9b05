import type { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { retryAdvice } from '../shared/retry-advice.ts';

/** What Telegram says where it does not do what it was asked. */
export interface Refusal {
  readonly code: number;
  readonly words: string;
  readonly retryAfterS: number | null;
  /** The group is a supergroup now, and has this id. */
  readonly movedTo: number | null;
}

/** The answer to a token that Telegram does not know is 401, or 404 where it is not even well-formed. */
const refusesAccount = ({ code, words }: Refusal) =>
  code === 401 || (code === 404 && !words.includes('method'));

export function refusalError(refusal: Refusal, now: Date): ConnectorError {
  const { code, words, retryAfterS } = refusal;
  const retryAfter = retryAfterS === null ? null : String(retryAfterS);
  return new ConnectorError(words, {
    advice: retryAdvice({ status: code, retryAfter }, now),
    account: refusesAccount(refusal),
  });
}

/** What came of a call: refusals are no exceptions, for some of them can be helped. */
export type Outcome<Result extends z.ZodType> =
  | { readonly ok: true; readonly result: z.infer<Result> }
  | { readonly ok: false; readonly refusal: Refusal };
