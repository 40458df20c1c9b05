/** What a platform takes no more of: all that the account sends, or what goes to one place; some do not say which. */
export type LimitScope = 'account' | 'conversation' | 'unsaid';

/** Whether and when to try again. */
export type RetryAdvice =
  | { readonly retry: 'never' }
  | { readonly retry: 'backoff' }
  /** `limited` is left out where it is about one message alone. */
  | { readonly retry: 'after'; readonly afterMs: number; readonly limited?: LimitScope };

interface Details {
  readonly advice: RetryAdvice;
  /** The account itself is refused: a token was revoked, a number closed. */
  readonly account?: boolean;
  /** Nothing can be sent there any more: who is spoken to does not want it. */
  readonly unreachable?: boolean;
  /** The answer is not in the platform's own protocol: something else may answer at this address. */
  readonly foreign?: boolean;
  readonly cause?: unknown;
}

/** What a platform refused or could not do, in its own words. Those are shown to operators: no secrets in them. */
export class ConnectorError extends Error {
  readonly advice: RetryAdvice;
  readonly account: boolean;
  readonly unreachable: boolean;
  readonly foreign: boolean;

  constructor(
    words: string,
    { advice, account = false, unreachable = false, foreign = false, cause }: Details,
  ) {
    super(words, { cause });
    this.name = 'ConnectorError';
    this.advice = advice;
    this.account = account;
    this.unreachable = unreachable;
    this.foreign = foreign;
  }
}
