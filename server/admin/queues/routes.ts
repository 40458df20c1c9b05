import { z } from 'zod';
import { type Failure, listFailures, retryFailures } from '../../../core/channels/inbound/failed-jobs.ts';
import { loadQueueOverview, requireRetryableQueue } from '../../../core/channels/queue-overview.ts';
import type { StorageServices } from '../../../core/runtime/open-storage.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';
import { presentQueues, queuesSchema } from './schema.ts';

/** Registers the routes for the state of the queues and for retrying failed jobs. */
export function queueRoutes(app: TypedApp, runtime: Runtime): void {
  getQueues(app, runtime);
  listQueueFailures(app, runtime);
  retryQueue(app, runtime);
}

/** The path parameters of a queue that stores failed jobs. */
const queueParamsSchema = z.object({
  name: z.string().meta({
    description: 'answer: messages from visitors. deliver: messages that are sent to them.',
    examples: ['answer', 'deliver'],
  }),
});

const getQueuesSchema = {
  ...operatorRoute,
  summary: 'Show the backlog, the failed jobs and the state of the channels',
  operationId: 'getQueues',
  description:
    'Returns the number of waiting, active and failed jobs of each queue and, for each channel, its state and its backlog.',
  response: { 200: queuesSchema },
};

function getQueues(app: TypedApp, runtime: Runtime): void {
  app.get('/queues', { schema: getQueuesSchema, ...needs('operations:read') }, async () =>
    presentQueues(await loadQueueOverview(runtime)),
  );
}

const failureSchema = z
  .object({
    id: z.string().meta({ description: 'A number that increases with each entry.' }),
    channel_id: z.string(),
    conversation_id: z.string().nullable(),
    reason: z.string().nullable(),
    attempts: z.int().nonnegative(),
    retriable: z.boolean().meta({ description: 'false if the platform rejected the message permanently.' }),
    at: z.iso
      .datetime()
      .meta({ description: 'When the message was received (answer) or written (deliver).' }),
  })
  .meta({ id: 'QueueFailure' });

const listQueueFailuresSchema = {
  ...operatorRoute,
  summary: 'List the failed jobs of a queue, newest first',
  operationId: 'listQueueFailures',
  description:
    'Returns messages that could not be answered (`answer`) and parts that could not be sent (`deliver`), each with its reason.',
  params: queueParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ failures: z.array(failureSchema), pagination: paginationSchema }),
    ...errorResponses('queue_not_found'),
  },
};

function listQueueFailures(app: TypedApp, { database }: StorageServices): void {
  app.get(
    '/queues/:name/failures',
    { schema: listQueueFailuresSchema, ...needs('operations:read') },
    async ({ params, query }) => {
      const page = await listFailures(database.kysely, requireRetryableQueue(params.name), query);
      return { failures: page.items.map(presentFailure), pagination: presentPagination(page) };
    },
  );
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
  summary: 'Retry the failed jobs of a queue',
  operationId: 'retryQueue',
  description:
    'Queues failed jobs again, for one channel or for all. Parts that a platform rejected permanently are not retried.',
  params: queueParamsSchema,
  body: z
    .object({
      channel_id: z
        .string()
        .optional()
        .meta({ description: 'Limits the retry to this channel. Defaults to all channels.' }),
    })
    .nullish(),
  response: {
    200: z.object({ retried: z.int().nonnegative() }),
    ...errorResponses('queue_not_found', 'channel_not_found'),
  },
};

function retryQueue(app: TypedApp, runtime: Runtime): void {
  app.post(
    '/queues/:name/retry',
    { schema: retryQueueSchema, ...needs('operations:write') },
    async ({ params, body }) => ({
      retried: await retryFailures(runtime, requireRetryableQueue(params.name), body?.channel_id ?? null),
    }),
  );
}
