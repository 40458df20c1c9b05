import type { FastifyReply, FastifyRequest } from 'fastify';
import { dropBody } from './drop-body.ts';
import { presentError } from './present-error.ts';
import { refusal } from './refusal.ts';
import { toAppError } from './to-app-error.ts';

/** Answers with any error in the one shape there is; what was not expected is logged here, once. */
export async function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const known = toAppError(error, request);
  refusal.set(request, known.code);
  if (known.code === 'internal_error') request.log.error({ err: known.cause ?? known }, 'request failed');
  if (known.code === 'payload_too_large') await dropBody(request.raw);
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  if (known.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.header('x-request-id', request.id).code(known.status).send(presentError(known, request.id));
}
