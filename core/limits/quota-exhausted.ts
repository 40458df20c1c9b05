import { AppError } from '../errors.ts';
import { nextMonth } from './next-month.ts';
import { secondsUntil } from './seconds-until.ts';

/** The refusal of a message over the owner's monthly allowance, until the next month. */
export function quotaExhausted(now: Date): AppError {
  return new AppError('quota_exhausted', { retryAfterSeconds: secondsUntil(nextMonth(now), now) });
}
