import type { FastifyRequest } from 'fastify';

/** The page that made a browser send a request: one of this server, one of another site, or unknown. */
export type RequestOrigin = 'own' | 'foreign' | 'absent';

/**
 * Compares the `Origin` of a request with the address that it was sent to and with PUBLIC_URL. Browsers name the origin of every
 * write; other clients may leave it out.
 */
export function compareOrigin(
  { headers, host }: Pick<FastifyRequest, 'headers' | 'host'>,
  publicUrl: string | undefined,
): RequestOrigin {
  if (headers.origin === undefined) return 'absent';
  const own = [host, publicUrl === undefined ? host : new URL(publicUrl).host];
  return own.includes(URL.parse(headers.origin)?.host ?? '') ? 'own' : 'foreign';
}
