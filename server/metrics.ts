import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Metrics } from '../core/metrics/metrics.ts';
import type { Runtime } from '../core/runtime.ts';
import type { TypedApp } from './typed-app.ts';

const getMetricsSchema = {
  summary: 'What this process counts, for Prometheus',
  operationId: 'getMetrics',
  description: "Returns the counters of this process in Prometheus' text format. Takes the operator's token.",
  tags: ['Health'],
  security: [{ adminToken: [] }],
  response: {
    200: {
      description: "Prometheus' text format.",
      content: { 'text/plain': { schema: z.string() } },
    },
  },
};

/** `GET /metrics`. */
export function getMetrics(app: TypedApp, runtime: Runtime): void {
  const { metrics } = runtime;
  app.get(
    '/metrics',
    { schema: getMetricsSchema, config: { whileDraining: true } },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text(runtime)),
  );
}

/** As other servers put it: the caller was gone before the answer was out. */
const clientClosedRequest = 499;

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
    reply.raw.once('close', () => ended(request, reply, clientClosedRequest));
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    ended(request, reply, reply.statusCode);
    done();
  });
}
