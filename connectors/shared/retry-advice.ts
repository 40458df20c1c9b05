import type { RetryAdvice } from '../../core/contract/connector-error.ts';

/** Where a platform limits us and does not say for how long. */
const LIMITED_MS = 1_000;

/** What the status of a refused request says of trying it again. */
export function retryAdvice(status: number, retryAfter: string | null, now: Date): RetryAdvice {
  const afterMs = delayOf(retryAfter, now);
  if (status === 429) return { retry: 'after', afterMs: afterMs ?? LIMITED_MS };
  const mayPass = status >= 500 || [408, 409, 425].includes(status);
  if (!mayPass) return { retry: 'never' };
  return afterMs === null ? { retry: 'backoff' } : { retry: 'after', afterMs };
}

/** Of a `Retry-After` header: seconds, or a date. */
function delayOf(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.ceil(Number(header) * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
