import type { FastifyInstance } from 'fastify';
import { AppError } from '../../core/errors.ts';
import { toStorableValue } from '../../core/text.ts';

/** Deeper than people nest anything; what walks through a value takes a place on the stack for each level. */
const maxDepth = 500;

/** Bodies are JSON and nothing else, unless a route says otherwise. */
export function parseJsonBodies(app: FastifyInstance): void {
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
      else if (isDeeperThan(text, maxDepth)) done(depthError());
      else done(null, toStorableValue(value, text));
    });
  });
}

function depthError(): AppError {
  return new AppError('invalid_body', { detail: `The body is nested more than ${maxDepth} levels deep.` });
}

/** Whether arrays and objects in valid JSON stand more than `most` deep inside each other. */
export function isDeeperThan(json: string, most: number): boolean {
  if (json.length <= most) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

/** What query strings hold is made `storable` before it is looked at, as what bodies hold is. */
export function cleanQueryStrings(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    request.query = toStorableValue(request.query, JSON.stringify(request.query));
  });
}
