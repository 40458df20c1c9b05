/**
 * The scope of a platform's rate limit: everything the account sends, or one conversation. `unsaid` means that the
 * platform does not say which.
 */
export type LimitScope = 'account' | 'conversation' | 'unsaid';

/**
 * Whether and when to retry. `never`: the same call fails again. `backoff`: the engine retries with increasing delays.
 * `after`: the engine retries after `afterMs` milliseconds.
 */
export type RetryAdvice =
  | { readonly retry: 'never' }
  | { readonly retry: 'backoff' }
  /** `limited` is the scope of a rate limit; it is absent if the delay concerns this message alone. */
  | { readonly retry: 'after'; readonly afterMs: number; readonly limited?: LimitScope };

interface Details {
  readonly advice: RetryAdvice;
  /** The platform rejects the account itself, for example because a token was revoked or a number was closed. */
  readonly account?: boolean;
  /** The platform accepts no further messages in this conversation, for example because the visitor blocked the bot. */
  readonly unreachable?: boolean;
  /** The response does not follow the platform's protocol, so a different service may be answering at this address. */
  readonly foreign?: boolean;
  /** The platform did not take the message for certain: it said so, or there was no connection. */
  readonly untaken?: boolean;
  readonly cause?: unknown;
}

/** A failure or refusal that the platform reported. Operators see the message, so it must not contain secrets. */
export class ConnectorError extends Error {
  readonly advice: RetryAdvice;
  readonly account: boolean;
  readonly unreachable: boolean;
  readonly foreign: boolean;
  readonly untaken: boolean;

  constructor(
    message: string,
    { advice, account = false, unreachable = false, foreign = false, untaken = false, cause }: Details,
  ) {
    super(message, { cause });
    this.name = 'ConnectorError';
    this.advice = advice;
    this.account = account;
    this.unreachable = unreachable;
    this.foreign = foreign;
    this.untaken = untaken;
  }
}
