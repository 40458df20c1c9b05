import type { FastifyReply, FastifyRequest } from 'fastify';
import { whenSettled } from '../../core/async.ts';
import { dropBody } from './drop-body.ts';
import { knownError } from './known-error.ts';
import { presentError } from './present-error.ts';

/**
 * Answers with any error in the one shape there is. Returns nothing to wait for: the framework answers once more, with
 * every hook, when a promise is fulfilled while the hooks of the first answer still run.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = knownError(error, request);
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  if (known.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.header('x-request-id', request.id).code(known.status);
  const send = () => void reply.send(presentError(known, request.id));
  if (known.code === 'payload_too_large') whenSettled(dropBody(request.raw), send);
  else send();
}
