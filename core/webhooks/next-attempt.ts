const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** The waits after the first try, the second, and so on; the last one again and again. */
const waits = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
];

const patienceMs = 24 * hour;

/** A receiver may not put off for longer what might succeed by then. */
const longestWishMs = hour;

interface FailedAttempt {
  /** Which it was, from 1. */
  readonly attempts: number;
  readonly queuedAt: Date;
  readonly now: Date;
  /** How long the receiver asked to be left alone. */
  readonly wishMs: number;
}

/** When a delivery is tried again; null when it has failed for a day. Pure. */
export function nextAttempt({ attempts, queuedAt, now, wishMs }: FailedAttempt): Date | null {
  const end = queuedAt.getTime() + patienceMs;
  if (now.getTime() >= end) return null;
  const wait = waits[attempts - 1] ?? waits.at(-1) ?? 0;
  const next = now.getTime() + Math.max(wait, Math.min(wishMs, longestWishMs));
  return new Date(Math.min(next, end));
}
