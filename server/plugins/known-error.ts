import type { FastifyRequest } from 'fastify';
import type { AppError } from '../../core/errors.ts';
import { refusal } from './refusal.ts';
import { toAppError } from './to-app-error.ts';

/** Any error as the caller may see it, noted for the request's line in the log; what went wrong on our side is logged whole. */
export function knownError(error: unknown, request: FastifyRequest): AppError {
  const known = toAppError(error, request);
  refusal.set(request, known.code);
  if (isFailure(known)) request.log.error({ err: known.cause ?? known }, 'request failed');
  return known;
}

/** A server that drains and a request that takes too long are told by the line of every request. */
function isFailure({ code, status }: AppError): boolean {
  return status >= 500 && code !== 'deploying' && code !== 'request_timeout';
}
