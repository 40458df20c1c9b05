/** The first day of the month (UTC) that messages count in, such as `2026-03-01`. */
export function monthOf(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`;
}
