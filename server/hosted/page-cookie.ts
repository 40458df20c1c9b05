import type { FastifyReply, FastifyRequest } from 'fastify';

const name = 'parley_visitor';
const days = 90;

/** The session that a browser shows to a page; null where it shows none. */
export function readPageCookie({ headers }: FastifyRequest): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return found !== undefined && /^[\w-]{1,200}$/.test(found) ? found : null;
}

interface PageCookie {
  readonly token: string;
  /** The path of the page: the cookie is sent to no other one. */
  readonly path: string;
  readonly publicUrl: string | undefined;
}

/**
 * Scripts cannot read the cookie, and other sites cannot have it sent with a form. It is `Secure` where PUBLIC_URL is
 * https: behind a proxy that ends TLS, the request itself arrives by http.
 */
export function setPageCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, path, publicUrl }: PageCookie,
): void {
  const isSecure = request.protocol === 'https' || publicUrl?.startsWith('https:') === true;
  const attributes = [
    `${name}=${token}`,
    `Path=${path}`,
    `Max-Age=${days * 24 * 60 * 60}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ];
  reply.header('set-cookie', attributes.join('; '));
}
