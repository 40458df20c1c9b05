import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const name = 'parley_install';
const maxAgeSeconds = 3_600;

/** What this browser was told to keep; null where it has nothing of ours. */
export function browserOf({ headers }: FastifyRequest): string | null {
  const kept = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const value = kept.find(([key]) => key === name)?.[1];
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : null;
}

/** Tells the browser to keep something that only it knows, or what it has already: several links may be open in it. */
export function keepBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | undefined,
): string {
  const browser = browserOf(request) ?? randomBytes(32).toString('base64url');
  const { pathname = '/', protocol = 'http:' } = URL.parse(publicUrl ?? '') ?? {};
  const path = `${pathname.replace(/\/$/, '')}/install`;
  const attributes = [`Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
  const secure = protocol === 'https:' ? ['Secure'] : [];
  reply.header('set-cookie', [`${name}=${browser}`, ...attributes, ...secure].join('; '));
  return browser;
}
