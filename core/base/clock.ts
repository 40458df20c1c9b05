import { setTimeout as wait } from 'node:timers/promises';

/** A source of the current time. Injected, so that tests can set it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Resolves after `ms` milliseconds. Rejects as soon as the signal is aborted. Injected, so that tests can decide when. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const systemWait: Wait = (ms, signal) => wait(ms, undefined, { signal });

/** Calls `run` after `ms` milliseconds. Returns the function that cancels it. `run` must not throw. */
export function runAfter(wait: Wait, ms: number, run: () => void): () => void {
  const cancelled = new AbortController();
  wait(ms, cancelled.signal).then(run, () => {
    // Cancelled: a wait rejects for nothing else.
  });
  return () => cancelled.abort();
}

/** Returns the whole seconds from `now` to `then`, at least 1, for `Retry-After`. */
export function secondsUntil(then: Date, now: Date): number {
  return Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1_000));
}

/** Returns the start of the next day, UTC. */
export function nextMidnight(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}

/** Returns the start of the next month, UTC. */
export function nextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}

/** Returns the first day of the month (UTC) that messages count against, such as `2026-03-01`. */
export function startOfMonth(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`;
}
