import type { KeyLimits } from '../../core/limits/key-limits.ts';

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
