import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../../core/errors.ts';
import { dropBody } from './drop-body.ts';
import { presentError } from './present-error.ts';
import { refusal } from './refusal.ts';
import { toAppError } from './to-app-error.ts';

/** Answers with any error in the one shape there is; what went wrong on our side is logged here, once. */
export async function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const known = toAppError(error, request);
  refusal.set(request, known.code);
  if (isFailure(known)) request.log.error({ err: known.cause ?? known }, 'request failed');
  if (known.code === 'payload_too_large') await dropBody(request.raw);
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  if (known.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.header('x-request-id', request.id).code(known.status).send(presentError(known, request.id));
}

/** A server that drains and a request that takes too long are told by the line of every request. */
function isFailure({ code, status }: AppError): boolean {
  return status >= 500 && code !== 'deploying' && code !== 'request_timeout';
}
