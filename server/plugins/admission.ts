import type { Admitted, KeyLimits } from '../../core/limits/admission.ts';
import type { KeyOutcome } from '../../core/limits/key-outcomes.ts';
import type { Reservation } from '../../core/limits/quota.ts';
import { RequestContext } from '../request-context.ts';

/** The admission of the request by its API key. */
export const keyAdmission = new RequestContext<Admitted>('key');

/** The outcome of the request for its key, where the status of the response does not tell. */
export const keyOutcome = new RequestContext<KeyOutcome>('key outcome');

/** The quota reservation of the request for its owner's month. */
export const quotaReservation = new RequestContext<Reservation>('reservation');

/** Returns the rate-limit headers of a key. */
export function rateLimitHeaders(limits: KeyLimits): Record<string, number> {
  return {
    'x-ratelimit-limit-minute': limits.minute,
    'x-ratelimit-remaining-minute': limits.minuteRemaining,
    'x-ratelimit-limit-day': limits.day,
    'x-ratelimit-remaining-day': limits.dayRemaining,
    'x-ratelimit-reset-day': limits.dayResets.getTime() / 1_000,
  };
}
