import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Companion } from '../../core/conversations/turn.ts';
import type { Runtime } from '../../core/runtime.ts';
import { claims } from './claims.ts';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * To be stored beside what a repeatable request came to: keeps `present(result)`, the body of the answer. Undefined for
 * any other request.
 */
export function keepAnswer<Result>(
  { idempotentRequests }: Pick<Runtime, 'idempotentRequests'>,
  { request, reply }: Exchange,
  present: (result: Result) => object,
): ((result: Result) => Companion) | undefined {
  const claim = claims.find(request);
  if (claim === undefined) return undefined;
  return (result) => {
    const body = reply.serialize(present(result));
    return idempotentRequests.completing(claim, { status: 200, body: String(body) });
  };
}
