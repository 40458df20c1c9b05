import type { FastifyReply, FastifyRequest } from 'fastify';
import { presentError } from './present-error.ts';
import { refusal } from './refusal.ts';
import { toAppError } from './to-app-error.ts';

/** Answers with any error in the one shape there is; what was not expected is logged here, once. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toAppError(error, request);
  refusal.set(request, known.code);
  if (known.code === 'internal_error') request.log.error({ err: known.cause ?? known }, 'request failed');
  // Closing the connection while a caller still sends would take the answer from him: what is left is read and dropped.
  if (known.code === 'payload_too_large') reply.removeHeader('connection');
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  if (known.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.header('x-request-id', request.id).code(known.status).send(presentError(known, request.id));
}
