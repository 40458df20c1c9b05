import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../core/metrics/metrics.ts';

/** Counts every request, and how long it takes. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    metrics.requestBegan();
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    metrics.requestEnded({
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    });
    done();
  });
}
