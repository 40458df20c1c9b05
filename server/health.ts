import { z } from 'zod';
import { partStates } from '../core/health/part.ts';
import type { Runtime } from '../core/runtime/runtime.ts';
import { presentError } from './plugins/errors.ts';
import { errorBodySchema } from './schemas/responses.ts';
import type { TypedApp } from './typed-app.ts';

/** Registers `/healthz`. It also responds while the server drains. */
export function getHealthz(app: TypedApp): void {
  const schema = {
    summary: 'Check that the process is alive',
    operationId: 'getHealth',
    description:
      'Responds with 200 as long as the process runs, even if other parts fail. Use it as a liveness probe.',
    tags: ['Health'],
    response: { 200: z.object({ status: z.literal('alive') }) },
  };
  app.get('/healthz', { schema, config: { whileDraining: true } }, async () => ({
    status: 'alive' as const,
  }));
}

const checksSchema = z.record(z.string(), z.enum(partStates)).meta({
  description:
    'The state of each part by its name: database, schema, index, queue, embedder (absent in a process that does not search), models, clock, disk, backup, and each kind of worker. failed: this process cannot serve. degraded: something does not hold what it promises. starting: no process runs the worker yet, within a minute of the start of this process. unknown: nothing is known of it.',
});

/** Registers `/readyz`: whether this server can take requests, with the state of each part. */
export function getReadyz(app: TypedApp, runtime: Runtime): void {
  const schema = {
    summary: 'Check that the server can take requests',
    operationId: 'getReadiness',
    description:
      'Responds with 200 if this process can serve requests, otherwise with 503, and with the state of each part. Use it as a readiness probe.',
    tags: ['Health'],
    response: {
      200: z.object({
        status: z.literal('ready'),
        checks: checksSchema,
        demo: z.literal('indexing').optional().meta({
          description: 'Until the documents of the demo answer, at the first start; absent otherwise.',
        }),
      }),
      503: errorBodySchema
        .and(
          z.object({
            code: z.string().meta({ enum: ['not_ready', 'deploying'] }),
            checks: checksSchema.optional(),
            status: z.enum(['starting', 'migrating']).optional().meta({
              description: 'Until the server is ready for the first time, instead of checks.',
            }),
          }),
        )
        .meta({
          description: 'A part that every request needs has failed, or the server is shutting down.',
        }),
    },
  };
  app.get('/readyz', { schema }, async (request, reply) => {
    const checks = await runtime.readiness.parts();
    const refusal = runtime.readiness.refusal(checks);
    const { isRunning } = runtime.demo;
    if (refusal === null)
      return { status: 'ready' as const, checks, ...(isRunning && { demo: 'indexing' as const }) };
    if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
    return reply.code(503).send({ ...presentError(refusal, request.id), checks });
  });
}
