/**
 * Why a model did not answer. `timeout`: nothing came for too long. `unreachable`: no connection. `rate_limited`: 429.
 * `misconfigured`: a wrong key or a model that does not exist, which the operator has to mend. `refused`: this one
 * request was not accepted. `failed`: anything else the provider did wrong.
 */
export type FailureKind = 'timeout' | 'unreachable' | 'rate_limited' | 'misconfigured' | 'refused' | 'failed';

interface FailureDetails {
  readonly cause?: unknown;
  /** After which the provider wants to be asked again. */
  readonly retryAfterMs?: number | undefined;
}

export class ProviderFailure extends Error {
  readonly kind: FailureKind;
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, { cause, retryAfterMs }: FailureDetails = {}) {
    super(`the language model did not answer: ${kind}`, { cause });
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
