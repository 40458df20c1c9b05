import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../../core/metrics/metrics.ts';

/** As other servers put it: the caller was gone before the answer was out. */
const callerGone = 499;

/** Counts every request, and how long it takes; also one whose caller leaves, of which the framework tells nothing. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  const inFlight = new WeakSet<FastifyRequest>();
  const ended = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    if (!inFlight.delete(request)) return;
    metrics.requestEnded({
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status,
      seconds: reply.elapsedTime / 1_000,
    });
  };
  app.addHook('onRequest', (request, reply, done) => {
    inFlight.add(request);
    metrics.requestBegan();
    reply.raw.once('close', () => ended(request, reply, callerGone));
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    ended(request, reply, reply.statusCode);
    done();
  });
}
