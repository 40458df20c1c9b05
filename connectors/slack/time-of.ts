/** The moment in a number of Slack's: its whole part counts seconds. */
export function timeOf(ts: string): Date {
  return new Date(Math.trunc(Number(ts) * 1_000));
}
