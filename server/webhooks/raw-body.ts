import type { FastifyInstance } from 'fastify';

/** Bodies are bytes, whatever they are said to be: signatures are made of those. */
export function rawBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}
