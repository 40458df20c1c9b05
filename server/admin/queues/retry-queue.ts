import { z } from 'zod';
import { keptQueue } from '../../../core/pipeline/kept-queue.ts';
import { retryNow } from '../../../core/pipeline/retry-now.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';
import { queueParamsSchema } from './queue-params-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Try again what a queue gave up',
  operationId: 'retryQueue',
  description:
    'Queues what was given up once more, for one channel or for all. Parts that a platform refused for good are not retried.',
  params: queueParamsSchema,
  body: z
    .object({
      channel_id: z.string().optional().meta({ description: 'Only of this channel; of all when absent.' }),
    })
    .nullish(),
  response: {
    200: z.object({ retried: z.int().nonnegative() }),
    ...errorResponses('queue_not_found', 'channel_not_found'),
  },
};

/** `POST /admin/v1/queues/{name}/retry`. */
export function retryQueue(app: TypedApp, runtime: Runtime): void {
  app.post('/queues/:name/retry', { schema }, async ({ params, body }) => ({
    retried: await retryNow(runtime, keptQueue(params.name), body?.channel_id ?? null),
  }));
}
