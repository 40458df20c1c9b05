import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { presentError } from '../plugins/present-error.ts';
import { errorBodySchema } from '../schemas/error-body-schema.ts';
import type { TypedApp } from '../typed-app.ts';
import { type Checks, checkParts } from './check-parts.ts';

const checkSchema = z.enum(['ok', 'failed']);
const checksSchema = z.object({
  database: checkSchema,
  queue: checkSchema,
  embedder: checkSchema,
  workers: checkSchema.meta({ description: 'Whether any process does background work.' }),
});

/** Anybody may ask, so the parts are bothered once a second at most. */
const freshMs = 1_000;

/**
 * Whether requests can be served, and if not, which part is missing. A provider is none: every other process would lack it
 * as well, and words alone answer much meanwhile.
 */
export function getReadyz(app: TypedApp, runtime: Runtime): void {
  let last: { readonly at: number; readonly checks: Promise<Checks> } | null = null;
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
        .meta({ description: 'A part cannot be reached, or the server is shutting down.' }),
    },
  };
  app.get('/readyz', { schema }, async (request, reply) => {
    if (last === null || performance.now() - last.at > freshMs) {
      last = { at: performance.now(), checks: checkParts(runtime) };
    }
    const checks = await last.checks;
    const failed = Object.entries(checks).flatMap(([part, check]) => {
      const isMissed = check !== 'ok' && !(part === 'embedder' && runtime.embedder.engine === 'remote');
      return isMissed ? [part] : [];
    });
    if (failed.length === 0) return { status: 'ready' as const, checks };
    const error = new AppError('not_ready', { detail: `Cannot be reached: ${failed.join(', ')}.` });
    return reply.code(503).send({ ...presentError(error, request.id), checks });
  });
}
