/** An ISO 8601 time as a table shows it: to the minute, in UTC. */
export function shortTime(time: string | null | undefined): string {
  return time == null ? '' : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
