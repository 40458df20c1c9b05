import { AppError } from '../../errors.ts';
import type { ProviderFailure } from './provider-failure.ts';

interface FailureOptions {
  /** How many models there are, asked or not; one when absent. */
  readonly models?: number;
  /** When the first of the providers is asked again, in milliseconds from now. */
  readonly pauseMs?: number;
}

/**
 * The error for callers when no model answered. `provider_down`: several models failed, whatever each failed with, or
 * the only one could not be reached or was left alone after repeated failures. `upstream_timeout`: the only model took
 * too long. `model_provider_error`: the only model answered with an error.
 */
export function failureForCallers(
  failures: readonly ProviderFailure[],
  { models = 1, pauseMs = 0 }: FailureOptions = {},
): AppError {
  const cause = failures.at(-1);
  if (models > 1 || failures.every(({ kind }) => kind === 'unreachable')) {
    return new AppError('provider_down', {
      cause,
      retryAfterSeconds: Math.max(1, Math.ceil(pauseMs / 1_000)),
    });
  }
  return new AppError(cause?.kind === 'timeout' ? 'upstream_timeout' : 'model_provider_error', { cause });
}
