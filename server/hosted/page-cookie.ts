import type { FastifyReply, FastifyRequest } from 'fastify';

const name = 'parley_visitor';
const days = 90;

/** The session that a browser shows to a page; null where it shows none. */
export function readPageCookie({ headers }: FastifyRequest): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return found !== undefined && /^[\w-]{1,200}$/.test(found) ? found : null;
}

/** Scripts do not see it, and no other site can have it sent along with what it makes a browser post. */
export function setPageCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
  token: string,
): void {
  const attributes = [
    `${name}=${token}`,
    `Path=${page}`,
    `Max-Age=${days * 24 * 60 * 60}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(request.protocol === 'https' ? ['Secure'] : []),
  ];
  reply.header('set-cookie', attributes.join('; '));
}
