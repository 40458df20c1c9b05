import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Runtime } from '../../core/runtime.ts';
import { admitted } from './admitted.ts';
import { bearerToken } from './bearer-token.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the owner's monthly quota counts a request to this route. */
    countsMessage?: boolean;
  }
}

/** Every route of `app` takes an API key that has not used up its limits, before anything else is looked at. */
export function admitKey(app: FastifyInstance, { admission }: Runtime): void {
  app.addHook('onRequest', async (request, reply) => {
    const key = bearerToken(request.headers, 'API_KEY');
    const found = await admission.admit(key, countsMessage(request));
    reply.headers(rateLimitHeaders(found.limits));
    if (found.refusal !== null) throw found.refusal;
    admitted.set(request, found);
    reply.raw.once('close', found.end);
  });
}

function countsMessage({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.countsMessage === true;
}
