import type { Limited, RetryAdvice } from '../../core/contract/connector-error.ts';

/** Where a platform limits us and does not say for how long. */
const LIMITED_MS = 1_000;

interface Told {
  readonly status: number;
  /** The header `Retry-After`, or what stands for it. */
  readonly retryAfter: string | null;
  /** What a 429 is about; 'unsaid' when absent. */
  readonly limited?: Limited;
}

/** What the status of a request that was refused, or whose answer is not understood, says of trying it again. */
export function retryAdvice({ status, retryAfter, limited = 'unsaid' }: Told, now: Date): RetryAdvice {
  const afterMs = delayOf(retryAfter, now);
  if (status === 429) return { retry: 'after', afterMs: afterMs ?? LIMITED_MS, limited };
  // Who says that all is well with a body that is not the platform's own is somebody on the way to it.
  const mayPass = status < 300 || status >= 500 || [408, 409, 425].includes(status);
  if (!mayPass) return { retry: 'never' };
  if (afterMs === null) return { retry: 'backoff' };
  // A platform that says when it will be back is not there for anybody.
  return { retry: 'after', afterMs, ...(status >= 500 && { limited: 'account' }) };
}

/** Of a `Retry-After` header: seconds, or a date. */
function delayOf(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.ceil(Number(header) * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
