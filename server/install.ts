import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Runtime } from '../core/runtime/runtime.ts';
import { element, renderNoticePage } from './pages/html.ts';
import { toLoggedError } from './plugins/errors.ts';
import type { TypedApp } from './typed-app.ts';

const schema = { hide: true };
const optionalText = z.string().min(1).nullable().catch(null).prefault(null);
const returnSchema = z.object({
  state: z.string().catch('').prefault(''),
  code: optionalText,
  error: optionalText,
});
const paramsSchema = z.object({ state: z.string() });

/**
 * Registers `/install/…`: the link that an administrator opens to install the app of a channel, and the URL
 * that the platform redirects to.
 */
export function installRoutes(app: TypedApp, { installs, config, guesses }: Runtime): void {
  app.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply));
  app.get('/callback', { schema }, async (request, reply) => {
    const { state, code, error: refusal } = returnSchema.parse(request.query);
    const attempt = { kind: 'install_link', address: request.ip, credential: state } as const;
    const channel = await guesses.check(attempt, () =>
      installs.finish({ state, code, refusal, browser: readBrowserCookie(request) }),
    );
    return sendPage(reply, `${channel.name} is connected`, 'You can close this page.');
  });
  app.get('/:state', { schema }, async (request, reply) => {
    const browser = setBrowserCookie(request, reply, config.PUBLIC_URL);
    const { state } = paramsSchema.parse(request.params);
    const attempt = { kind: 'install_link', address: request.ip, credential: state } as const;
    const url = await guesses.check(attempt, () => installs.begin(state, browser));
    return reply.header('referrer-policy', 'no-referrer').redirect(url, 302);
  });
}

function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, message, retryAfterSeconds } = toLoggedError(error, request);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  void sendPage(reply.code(status), 'The installation failed', message);
}

function sendPage(reply: FastifyReply, title: string, words: string): FastifyReply {
  const { html, contentSecurityPolicy } = renderNoticePage({ title, body: [element('p', {}, [words])] });
  return reply
    .headers({ 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(html);
}

const cookieName = 'parley_install';
const maxAgeSeconds = 3_600;

/** Returns the value of this browser's cookie, or null if there is none. */
function readBrowserCookie({ headers }: FastifyRequest): string | null {
  const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const value = cookies.find(([key]) => key === cookieName)?.[1];
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : null;
}

/**
 * Sets a cookie with a random value, which ties the installation to this browser. An existing value is kept,
 * because several links may be open in it.
 */
function setBrowserCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | undefined,
): string {
  const browser = readBrowserCookie(request) ?? randomBytes(32).toString('base64url');
  const { pathname = '/', protocol = 'http:' } = URL.parse(publicUrl ?? '') ?? {};
  const path = `${pathname.replace(/\/$/, '')}/install`;
  const attributes = [`Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
  const secure = protocol === 'https:' ? ['Secure'] : [];
  reply.header('set-cookie', [`${cookieName}=${browser}`, ...attributes, ...secure].join('; '));
  return browser;
}
