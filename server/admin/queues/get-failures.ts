import { z } from 'zod';
import { keptQueue } from '../../../core/pipeline/kept-queue.ts';
import { type Failure, listFailures } from '../../../core/pipeline/list-failures.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { pageQuerySchema } from '../../schemas/page-query-schema.ts';
import { paginationSchema } from '../../schemas/pagination-schema.ts';
import { presentPagination } from '../../schemas/present-pagination.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';
import { queueParamsSchema } from './queue-params-schema.ts';

const failureSchema = z
  .object({
    id: z.string().meta({ description: 'A number, higher for what came later.' }),
    channel_id: z.string(),
    conversation_id: z.string().nullable(),
    reason: z.string().nullable(),
    attempts: z.int().nonnegative(),
    retriable: z.boolean().meta({ description: 'false: the platform will never take it.' }),
    at: z.iso.datetime().meta({ description: 'When it came, or was written.' }),
  })
  .meta({ id: 'QueueFailure' });

const schema = {
  ...operatorRoute,
  summary: 'List what a queue gave up, the last that came first',
  operationId: 'listQueueFailures',
  description:
    'Returns what was given up: messages that could not be answered (`answer`) and parts that could not be sent (`deliver`), with the reason of each.',
  params: queueParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ failures: z.array(failureSchema), pagination: paginationSchema }),
    ...errorResponses('queue_not_found'),
  },
};

/** `GET /admin/v1/queues/{name}/failures`. */
export function getFailures(app: TypedApp, { database }: Runtime): void {
  app.get('/queues/:name/failures', { schema }, async ({ params, query }) => {
    const page = await listFailures(database.kysely, keptQueue(params.name), query);
    return { failures: page.items.map(present), pagination: presentPagination(page) };
  });
}

function present({ number, channelId, conversationId, isRetriable, at, reason, attempts }: Failure) {
  return {
    id: number,
    channel_id: channelId,
    conversation_id: conversationId,
    reason,
    attempts,
    retriable: isRetriable,
    at: at.toISOString(),
  };
}
