import { z } from 'zod';
import type { Runtime } from '../../core/runtime.ts';
import type { TypedApp } from '../typed-app.ts';

const schema = {
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
  app.get('/metrics', { schema, config: { whileDraining: true } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text(runtime)),
  );
}
