/** An absolute http(s) address as it was written, or null for anything else. */
export function webAddress(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  return /^https?:$/.test(new URL(value).protocol) ? value.trim() : null;
}
