const SCHEME = /^[a-z][a-z\d+.-]*:/iu;

/** The host of an address as people write them, without `www.`; null where it has none, or is not of the web. */
export function hostOf(address: string): string | null {
  const whole = SCHEME.test(address) ? address : `https://${address.replace(/^[\\/]+/u, '')}`;
  const url = URL.parse(whole);
  if (url === null || !/^https?:$/u.test(url.protocol)) return null;
  return url.hostname.replace(/^www\./u, '');
}
