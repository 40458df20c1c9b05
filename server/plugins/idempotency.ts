import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Claim, StoredResponse } from '../../core/limits/idempotent-requests.ts';
import { hashRequest } from '../../core/limits/idempotent-requests.ts';
import type { WorkspaceServices } from '../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { Companion } from '../../core/storage/companion.ts';
import { RequestContext } from '../request-context.ts';
import { keyAdmission } from './admission.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether a request to this route with an `Idempotency-Key` is executed only once, even if it is
     * repeated.
     */
    idempotent?: boolean;
  }
}

/** Returns the idempotency key of a request; undefined if it has none or its route does not support it. */
export function findIdempotencyKey({ headers, routeOptions }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  return routeOptions.config.idempotent === true && typeof key === 'string' ? key : undefined;
}

/** The claim of a request on its idempotency key. */
const idempotencyClaim = new RequestContext<Claim>('claim');

/** The received bodies, because validation adds defaults and drops unknown fields. */
const receivedBody = new RequestContext<{ readonly body: unknown }>('body');

/**
 * Returns the stored response of the first request to a repeated one, before the quota is checked. If the
 * first request fails, its key is released before the client receives the error. Handlers of idempotent
 * routes store their response with `storeIdempotentResponse`.
 */
export function replayIdempotentRequests(
  app: FastifyInstance,
  { idempotentRequests }: WorkspaceServices,
): void {
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
      // The key expires after two minutes anyway, and the original error matters more.
      request.log.error({ err }, 'idempotency key release failed');
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
 * Returns a function that stores `present(result)`, the body of the response, in the transaction of the
 * result. Undefined for requests without an idempotency key.
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
