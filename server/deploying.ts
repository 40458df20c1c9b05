import { AppError } from '../core/errors.ts';

const comeBackSeconds = 30;

/** What a server answers that is about to stop. */
export function deploying(): AppError {
  return new AppError('deploying', { retryAfterSeconds: comeBackSeconds });
}
