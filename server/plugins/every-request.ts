import type { FastifyInstance } from 'fastify';
import { deployingError } from '../../core/health/readiness.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Drain } from '../drain.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is answered while the server drains. */
    readonly whileDraining?: boolean;
  }
}

/** What holds for every request: the headers of every response, and a refusal of new ones once the server stops. */
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
    // A connection that is kept alive goes to another server next time.
    if (readiness.isLeaving) reply.header('connection', 'close');
    if (!drain.signal.aborted) return drain.trackRequest(reply);
    reply.header('connection', 'close');
    if (request.routeOptions.config.whileDraining === true) return;
    throw deployingError();
  });
}
