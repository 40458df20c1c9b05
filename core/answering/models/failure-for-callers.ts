import { AppError } from '../../errors.ts';
import type { ProviderFailure } from './provider-failure.ts';

interface FailureOptions {
  /** When the first of the providers is asked again, in milliseconds from now. */
  readonly pauseMs?: number;
}

/**
 * What callers are told when no provider answered: `provider_down` where none could be reached, or none was asked,
 * because it failed again and again; `upstream_timeout` where one took too long; else `model_provider_error`.
 */
export function failureForCallers(
  failures: readonly ProviderFailure[],
  { pauseMs = 0 }: FailureOptions = {},
): AppError {
  const cause = failures.at(-1);
  if (failures.every(({ kind }) => kind === 'unreachable')) {
    return new AppError('provider_down', {
      cause,
      retryAfterSeconds: Math.max(1, Math.ceil(pauseMs / 1_000)),
    });
  }
  const isLate = failures.every(({ kind }) => kind === 'unreachable' || kind === 'timeout');
  return new AppError(isLate ? 'upstream_timeout' : 'model_provider_error', { cause });
}
