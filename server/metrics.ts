import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { addGauges } from '../core/health/gauges.ts';
import type { Metrics } from '../core/metrics/metrics.ts';
import type { Runtime } from '../core/runtime/runtime.ts';
import type { TypedApp } from './typed-app.ts';

const getMetricsSchema = {
  summary: 'Get the metrics of this process for Prometheus',
  operationId: 'getMetrics',
  description:
    "Returns the metrics of this process in the text format of Prometheus. Requires the operator's token.",
  tags: ['Health'],
  security: [{ adminToken: [] }],
  response: {
    200: {
      description: 'The text format of Prometheus.',
      content: { 'text/plain': { schema: z.string() } },
    },
  },
};

export function getMetrics(app: TypedApp, runtime: Runtime): void {
  const { metrics } = runtime;
  app.get(
    '/metrics',
    { schema: getMetricsSchema, config: { whileDraining: true } },
    async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.text((registry) => addGauges(registry, runtime))),
  );
}

/** The status that nginx uses if a client disconnects before the response is complete. */
const clientClosedRequest = 499;

/**
 * Measures every request and its duration. It includes requests whose client disconnects, for which Fastify runs no
 * `onResponse` hook.
 */
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
    reply.raw.once('close', () => ended(request, reply, clientClosedRequest));
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    ended(request, reply, reply.statusCode);
    done();
  });
}
