/**
 * Milliseconds of the machine's monotonic clock, which all its processes share, so that their times can be compared.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
