import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Runtime } from '../../core/runtime.ts';
import { admitted } from './admitted.ts';
import { bearerToken } from './bearer-token.ts';
import { idempotencyKeyOf } from './idempotency-key-of.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { reservations } from './reservations.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the owner's monthly quota counts a request to this route. */
    countsMessage?: boolean;
  }
}

/** Every route of `app` takes an API key that has not used up its limits, before anything else is looked at. */
export function admitKey(app: FastifyInstance, { admission, quota }: Runtime): void {
  app.addHook('onRequest', async (request, reply) => {
    const key = bearerToken(request.headers, 'API_KEY');
    const found = await admission.admit(key, countedAtTheDoor(request));
    reply.headers(rateLimitHeaders(found.limits));
    if (found.refusal !== null) throw found.refusal;
    admitted.set(request, found);
    if (found.messageCounted === true) {
      reservations.set(request, quota.reservationOf(found.holder.workspace.owner, found.at));
    }
    // Who left while he waited at the door is gone already.
    if (reply.raw.destroyed) found.end();
    else reply.raw.once('close', found.end);
  });
}

/** What may turn out to be a repetition is counted when it is known not to be one. */
function countedAtTheDoor(request: FastifyRequest): boolean {
  return request.routeOptions.config.countsMessage === true && idempotencyKeyOf(request) === undefined;
}
