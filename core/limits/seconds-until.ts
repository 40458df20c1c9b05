/** Whole seconds from `now` to `then`, at least 1: what `Retry-After` says. */
export function secondsUntil(then: Date, now: Date): number {
  return Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1_000));
}
