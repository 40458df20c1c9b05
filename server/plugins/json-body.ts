import type { FastifyInstance } from 'fastify';
import { AppError } from '../../core/errors.ts';
import { storableJson } from '../../core/storable-json.ts';
import { isNestedDeeper } from './is-nested-deeper.ts';

/** Deeper than people nest anything; what walks through a value takes a place on the stack for each level. */
const mostLevels = 500;

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
    return parse(request, text, (error, value) => {
      if (error) done(error);
      else if (isNestedDeeper(text, mostLevels)) done(tooDeep());
      else done(null, storableJson(value, text));
    });
  });
}

function tooDeep(): AppError {
  return new AppError('invalid_body', { detail: `The body is nested more than ${mostLevels} levels deep.` });
}
