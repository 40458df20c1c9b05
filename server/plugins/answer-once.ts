import type { FastifyInstance, FastifyReply } from 'fastify';
import type { StoredResponse } from '../../core/idempotency/idempotent-requests.ts';
import { requestHash } from '../../core/idempotency/request-hash.ts';
import type { Runtime } from '../../core/runtime.ts';
import { RequestValue } from '../request-value.ts';
import { admitted } from './admitted.ts';
import { claims } from './claims.ts';
import { idempotencyKeyOf } from './idempotency-key-of.ts';

/** Bodies as they were sent: validation adds what was left out and drops what is unknown. */
const sentBodies = new RequestValue<{ readonly body: unknown }>('body');

/**
 * A repeated request gets the answer of the first one, before its quota is looked at. A first one that fails gives its
 * key back before the caller hears of it. Whoever handles an idempotent route stores its answer by `keepAnswer`.
 */
export function answerOnce(app: FastifyInstance, { idempotentRequests }: Runtime): void {
  app.addHook('preValidation', async (request) => {
    if (idempotencyKeyOf(request) !== undefined) sentBodies.set(request, { body: request.body });
  });
  app.addHook('preHandler', async (request, reply) => {
    const idempotencyKey = idempotencyKeyOf(request);
    if (idempotencyKey === undefined) return;
    const { method, routeOptions } = request;
    const claimed = await idempotentRequests.claim({
      keyId: admitted.of(request).holder.id,
      idempotencyKey,
      requestHash: requestHash(`${method} ${routeOptions.url}`, sentBodies.of(request).body),
    });
    if ('id' in claimed) return claims.set(request, claimed);
    return repeat(reply.header('idempotency-replayed', 'true'), claimed);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const claim = claims.find(request);
    if (claim === undefined || reply.statusCode < 400) return payload;
    try {
      const stored = await idempotentRequests.release(claim);
      if (stored === null) return payload;
      reply.code(stored.status);
      return stored.body;
    } catch (err) {
      // It comes free by itself in two minutes; the failure at hand is the news.
      request.log.error({ err }, 'an idempotency key could not be given back');
      return payload;
    }
  });
}

function repeat(reply: FastifyReply, { status, body }: StoredResponse): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}
