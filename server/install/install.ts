import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Runtime } from '../../core/runtime.ts';
import { element } from '../pages/element.ts';
import { writePage } from '../pages/write-page.ts';
import { knownError } from '../plugins/known-error.ts';
import type { TypedApp } from '../typed-app.ts';
import { browserOf, keepBrowser } from './browser-of.ts';

const schema = { hide: true };
const text = z.string().min(1).nullable().catch(null).prefault(null);
const returnSchema = z.object({ state: z.string().catch('').prefault(''), code: text, error: text });
const paramsSchema = z.object({ state: z.string() });

/** `/install/…`: what people open who let the app of a channel into their team, and where the platform brings them. */
export function install(app: TypedApp, { installs, config }: Runtime): void {
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply));
  app.get('/callback', { schema }, async (request, reply) => {
    const { state, code, error: refusal } = returnSchema.parse(request.query);
    const channel = await installs.finish({ state, code, refusal, browser: browserOf(request) });
    return sendPage(reply, `${channel.name} is connected`, 'You can close this page.');
  });
  app.get('/:state', { schema }, async (request, reply) => {
    const browser = keepBrowser(request, reply, config.PUBLIC_URL);
    const url = await installs.begin(paramsSchema.parse(request.params).state, browser);
    return reply.header('referrer-policy', 'no-referrer').redirect(url, 302);
  });
}

function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, message } = knownError(error, request);
  void sendPage(reply.code(status), 'That did not work', message);
}

function sendPage(reply: FastifyReply, title: string, words: string): FastifyReply {
  const { html, contentSecurityPolicy } = writePage({ title, body: [element('p', {}, [words])] });
  return reply
    .headers({ 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(html);
}
