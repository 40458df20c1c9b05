import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Runtime } from '../core/runtime.ts';
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

/** `/install/…`: what people open who let the app of a channel into their team, and where the platform brings them. */
export function installRoutes(app: TypedApp, { installs, config }: Runtime): void {
  app.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply));
  app.get('/callback', { schema }, async (request, reply) => {
    const { state, code, error: refusal } = returnSchema.parse(request.query);
    const channel = await installs.finish({ state, code, refusal, browser: readBrowserCookie(request) });
    return sendPage(reply, `${channel.name} is connected`, 'You can close this page.');
  });
  app.get('/:state', { schema }, async (request, reply) => {
    const browser = setBrowserCookie(request, reply, config.PUBLIC_URL);
    const url = await installs.begin(paramsSchema.parse(request.params).state, browser);
    return reply.header('referrer-policy', 'no-referrer').redirect(url, 302);
  });
}

function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, message } = toLoggedError(error, request);
  void sendPage(reply.code(status), 'That did not work', message);
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

/** What this browser was told to keep; null where it has nothing of ours. */
function readBrowserCookie({ headers }: FastifyRequest): string | null {
  const kept = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const value = kept.find(([key]) => key === cookieName)?.[1];
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : null;
}

/** Tells the browser to keep something that only it knows, or what it has already: several links may be open in it. */
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
