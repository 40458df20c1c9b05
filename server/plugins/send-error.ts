import type { FastifyReply, FastifyRequest } from 'fastify';
import { dropBody } from './drop-body.ts';
import { knownError } from './known-error.ts';
import { presentError } from './present-error.ts';

/** Answers with any error in the one shape there is. */
export async function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const known = knownError(error, request);
  if (known.code === 'payload_too_large') await dropBody(request.raw);
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  if (known.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.header('x-request-id', request.id).code(known.status).send(presentError(known, request.id));
}
