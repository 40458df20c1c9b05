import type { FastifyInstance } from 'fastify';
import { storableJson } from './storable-json.ts';

/** Bodies are JSON and nothing else, unless a route says otherwise. */
export function jsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    // Many clients name a content type on every request, also on one that has no body to describe.
    if (text === '' && request.method === 'DELETE') {
      done(null, undefined);
      return;
    }
    parse(request, text, (error, value) => done(error, error ? undefined : storableJson(value, text)));
  });
}
