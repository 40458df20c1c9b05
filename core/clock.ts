/** Where the time comes from: handed in, so that a test can set it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Whole seconds from `now` to `then`, at least 1: what `Retry-After` says. */
export function secondsUntil(then: Date, now: Date): number {
  return Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1_000));
}

/** The beginning of the next day, UTC. */
export function nextMidnight(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}

/** The beginning of the next month, UTC. */
export function nextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}

/** The first day of the month (UTC) that messages count in, such as `2026-03-01`. */
export function startOfMonth(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`;
}
