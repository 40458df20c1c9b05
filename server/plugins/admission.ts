import type { Admitted, KeyLimits } from '../../core/limits/admission.ts';
import type { Reservation } from '../../core/limits/quota.ts';
import { RequestContext } from '../request-context.ts';

/** Whose key a request carries, and what was counted for it. */
export const keyAdmission = new RequestContext<Admitted>('key');

/** What was counted for a request against its owner's month. */
export const quotaReservation = new RequestContext<Reservation>('reservation');

/** The headers that tell a key how much it may still do. */
export function rateLimitHeaders(limits: KeyLimits): Record<string, number> {
  return {
    'x-ratelimit-limit-minute': limits.minute,
    'x-ratelimit-remaining-minute': limits.minuteRemaining,
    'x-ratelimit-limit-day': limits.day,
    'x-ratelimit-remaining-day': limits.dayRemaining,
    'x-ratelimit-reset-day': limits.dayResets.getTime() / 1_000,
  };
}
