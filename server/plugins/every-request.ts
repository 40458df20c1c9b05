import type { FastifyInstance } from 'fastify';
import { deploying } from '../deploying.ts';
import type { Drain } from '../drain.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is answered while the server drains. */
    readonly whileDraining?: boolean;
  }
}

/** What holds for every request: headers of every response, and none taken while the server drains. */
export function everyRequest(app: FastifyInstance, drain: Drain): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    if (!drain.signal.aborted) return drain.track(reply);
    reply.header('connection', 'close');
    if (request.routeOptions.config.whileDraining === true) return;
    throw deploying();
  });
}
