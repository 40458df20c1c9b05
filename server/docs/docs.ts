import type { FastifyInstance } from 'fastify';
import { sendCompressed } from '../compressed-body.ts';
import { openReferencePage, type ReferencePage } from './reference-page.ts';

const schema = { hide: true };
const oneDay = 'public, max-age=86400';

/** The reference of the API, for people, at /docs: all of it comes from this server. */
export function docs(app: FastifyInstance): void {
  let opened: Promise<ReferencePage> | undefined;
  const page = () => {
    opened ??= openReferencePage();
    return opened;
  };
  app.get('/docs', { schema }, async (_request, reply) => {
    const { html, contentSecurityPolicy } = await page();
    reply.headers({ 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer' });
    return reply.type('text/html; charset=utf-8').send(html);
  });
  app.get('/docs/', { schema }, async (_request, reply) => reply.redirect('../docs', 308));
  app.get('/docs/scalar.js', { schema }, async (request, reply) => {
    const { script } = await page();
    reply.type('text/javascript; charset=utf-8').header('cache-control', oneDay);
    return sendCompressed(request, reply, script);
  });
}
