import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../core/errors.ts';

/** What follows `Bearer ` in the Authorization header. Throws `missing_auth` and `malformed_auth`. */
export function bearerToken(headers: IncomingHttpHeaders, placeholder: string): string {
  const { authorization } = headers;
  const wanted = `Bearer <${placeholder}>`;
  if (authorization === undefined) {
    throw new AppError('missing_auth', { detail: `Send the header Authorization: ${wanted}.` });
  }
  const token = /^Bearer ((?!["'])[\x21-\x7e]+)$/.exec(authorization)?.[1];
  if (token === undefined) {
    throw new AppError('malformed_auth', { detail: `The Authorization header must be exactly: ${wanted}.` });
  }
  return token;
}
