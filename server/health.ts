import { z } from 'zod';
import type { Runtime } from '../core/runtime.ts';
import { presentError } from './plugins/errors.ts';
import { errorBodySchema } from './schemas/responses.ts';
import type { TypedApp } from './typed-app.ts';

/** Whether the process is alive: also while it drains. */
export function getHealthz(app: TypedApp): void {
  const schema = {
    summary: 'Whether the process is alive',
    operationId: 'getHealth',
    description: 'Answers 200 as long as the process runs, whatever else works. Use it as a liveness probe.',
    tags: ['Health'],
    response: { 200: z.object({ status: z.literal('alive') }) },
  };
  app.get('/healthz', { schema, config: { whileDraining: true } }, async () => ({
    status: 'alive' as const,
  }));
}

const partSchema = z.enum(['ok', 'degraded', 'failed']);
const checksSchema = z.object({
  database: partSchema.meta({ description: 'Whether this process can write to it.' }),
  embedder: partSchema.optional().meta({ description: 'Absent in a process that does not search.' }),
  queue: partSchema,
  workers: partSchema.meta({ description: 'Whether any process does background work.' }),
});

/** Whether requests should be sent to this server, and which of its parts work. */
export function getReadyz(app: TypedApp, runtime: Runtime): void {
  const schema = {
    summary: 'Whether requests can be served',
    operationId: 'getReadiness',
    description:
      'Answers 200 when this process can serve requests, else 503, with the state of each part. Use it as a readiness probe.',
    tags: ['Health'],
    response: {
      200: z.object({ status: z.literal('ready'), checks: checksSchema }),
      503: errorBodySchema
        .and(
          z.object({
            code: z.string().meta({ enum: ['not_ready', 'deploying'] }),
            checks: checksSchema.optional(),
          }),
        )
        .meta({
          description: 'A part that has failed is needed for every request, or the server is shutting down.',
        }),
    },
  };
  app.get('/readyz', { schema }, async (request, reply) => {
    const checks = await runtime.readiness.parts();
    const refusal = runtime.readiness.refusal(checks);
    if (refusal === null) return { status: 'ready' as const, checks };
    if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
    return reply.code(503).send({ ...presentError(refusal, request.id), checks });
  });
}
