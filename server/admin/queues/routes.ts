import { z } from 'zod';
import { type Failure, listFailures, retryFailures } from '../../../core/queue/failed-jobs.ts';
import { loadQueueOverview, requireRetryableQueue } from '../../../core/queue/queue-overview.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';
import { presentQueues, queuesSchema } from './schema.ts';

/** What operators see of the queues, and what they retry. */
export function queueRoutes(app: TypedApp, runtime: Runtime): void {
  getQueues(app, runtime);
  listQueueFailures(app, runtime);
  retryQueue(app, runtime);
}

/** The path parameters of a queue that keeps what it gave up. */
const queueParamsSchema = z.object({
  name: z.string().meta({
    description: 'answer: messages of visitors. deliver: what is sent to them.',
    examples: ['answer', 'deliver'],
  }),
});

const getQueuesSchema = {
  ...operatorRoute,
  summary: 'What waits, what was given up, and which channels are well',
  operationId: 'getQueues',
  description:
    'Returns the number of waiting, active and failed jobs of each queue and, for each channel, its state and its backlog.',
  response: { 200: queuesSchema },
};

/** `GET /admin/v1/queues`. */
function getQueues(app: TypedApp, runtime: Runtime): void {
  app.get('/queues', { schema: getQueuesSchema }, async () =>
    presentQueues(await loadQueueOverview(runtime)),
  );
}

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

const listQueueFailuresSchema = {
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
function listQueueFailures(app: TypedApp, { database }: Runtime): void {
  app.get('/queues/:name/failures', { schema: listQueueFailuresSchema }, async ({ params, query }) => {
    const page = await listFailures(database.kysely, requireRetryableQueue(params.name), query);
    return { failures: page.items.map(presentFailure), pagination: presentPagination(page) };
  });
}

function presentFailure({ number, channelId, conversationId, isRetriable, at, reason, attempts }: Failure) {
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

const retryQueueSchema = {
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
function retryQueue(app: TypedApp, runtime: Runtime): void {
  app.post('/queues/:name/retry', { schema: retryQueueSchema }, async ({ params, body }) => ({
    retried: await retryFailures(runtime, requireRetryableQueue(params.name), body?.channel_id ?? null),
  }));
}
