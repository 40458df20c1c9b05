import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Companion } from '../../core/conversations/turn.ts';
import type { Claim, StoredResponse } from '../../core/idempotency/idempotent-requests.ts';
import { hashRequest } from '../../core/idempotency/idempotent-requests.ts';
import type { Runtime } from '../../core/runtime.ts';
import { RequestContext } from '../request-context.ts';
import { keyAdmission } from './admission.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request to this route that carries `Idempotency-Key` is answered once however often it is sent. */
    idempotent?: boolean;
  }
}

/** The key that a request is repeatable under; undefined where it has none, or its route takes none. */
export function findIdempotencyKey({ headers, routeOptions }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  return routeOptions.config.idempotent === true && typeof key === 'string' ? key : undefined;
}

/** The right to answer of requests that carry an idempotency key. */
const idempotencyClaim = new RequestContext<Claim>('claim');

/** Bodies as they were sent: validation adds what was left out and drops what is unknown. */
const receivedBody = new RequestContext<{ readonly body: unknown }>('body');

/**
 * A repeated request gets the answer of the first one, before its quota is looked at. A first one that fails gives its
 * key back before the caller hears of it. Whoever handles an idempotent route stores its answer by `keepAnswer`.
 */
export function replayIdempotentRequests(app: FastifyInstance, { idempotentRequests }: Runtime): void {
  app.addHook('preValidation', async (request) => {
    if (findIdempotencyKey(request) !== undefined) receivedBody.set(request, { body: request.body });
  });
  app.addHook('preHandler', async (request, reply) => {
    const idempotencyKey = findIdempotencyKey(request);
    if (idempotencyKey === undefined) return;
    const { method, routeOptions } = request;
    const claimed = await idempotentRequests.claim({
      keyId: keyAdmission.get(request).holder.id,
      idempotencyKey,
      requestHash: hashRequest(`${method} ${routeOptions.url}`, receivedBody.get(request).body),
    });
    if ('id' in claimed) return idempotencyClaim.set(request, claimed);
    return sendStoredResponse(reply.header('idempotency-replayed', 'true'), claimed);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const claim = idempotencyClaim.find(request);
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

function sendStoredResponse(reply: FastifyReply, { status, body }: StoredResponse): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * To be stored beside what a repeatable request came to: keeps `present(result)`, the body of the answer. Undefined for
 * any other request.
 */
export function storeIdempotentResponse<Result>(
  { idempotentRequests }: Pick<Runtime, 'idempotentRequests'>,
  { request, reply }: Exchange,
  present: (result: Result) => object,
): ((result: Result) => Companion) | undefined {
  const claim = idempotencyClaim.find(request);
  if (claim === undefined) return undefined;
  return (result) => {
    const body = reply.serialize(present(result));
    return idempotentRequests.completing(claim, { status: 200, body: String(body) });
  };
}
