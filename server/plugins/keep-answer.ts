import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from 'kysely';
import type { Runtime } from '../../core/runtime.ts';
import type { Tables } from '../../core/storage/tables.ts';
import { claims } from './claims.ts';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * For the transaction that stores what a repeatable request came to: keeps `present(result)`, the body of the answer,
 * with it. Undefined for any other request.
 */
export function keepAnswer<Result>(
  { idempotentRequests }: Pick<Runtime, 'idempotentRequests'>,
  { request, reply }: Exchange,
  present: (result: Result) => object,
): ((transaction: Transaction<Tables>, result: Result) => Promise<void>) | undefined {
  const claim = claims.find(request);
  if (claim === undefined) return undefined;
  return (transaction, result) => {
    const body = reply.serialize(present(result));
    return idempotentRequests.complete(transaction, claim, { status: 200, body: String(body) });
  };
}
