/** How many milliseconds a `Retry-After` asks to wait from `now`: seconds or a date; 0 where it asks for nothing. */
export function retryAfterMs(value: string | null, now: Date): number {
  if (value === null) return 0;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1_000;
  const until = Date.parse(value);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now.getTime());
}
