/** Longer ones are refused by browsers and platforms alike. */
const MAX_CHARACTERS = 2_048;

/** An address that a reader may be led to, in its normal form; null for all other schemes and what is no address. */
export function webLink(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  return url.href.length <= MAX_CHARACTERS ? url.href : null;
}
