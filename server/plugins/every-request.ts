import type { FastifyInstance } from 'fastify';
import { deployingError } from '../../core/health/readiness.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Drain } from '../drain.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is served while the server drains. */
    readonly whileDraining?: boolean;
  }
}

/** Sets the headers of every response and rejects new requests while the server drains. */
export function handleEveryRequest(
  app: FastifyInstance,
  { readiness }: Pick<Runtime, 'readiness'>,
  drain: Drain,
): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    // Closes kept-alive connections, so that the client's next request goes to another server.
    if (readiness.isLeaving) reply.header('connection', 'close');
    if (!drain.signal.aborted) return drain.trackRequest(reply);
    reply.header('connection', 'close');
    if (request.routeOptions.config.whileDraining === true) return;
    throw deployingError();
  });
}
