import { z } from 'zod';
import {
  type FailureAction,
  failureActionKinds,
  listFailureActions,
  startFailureAction,
  stopFailureAction,
} from '../../../core/channels/failures/failure-actions.ts';
import { failureFilterSchema, groupFailures } from '../../../core/channels/failures/failure-filter.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { errorResponses, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';
import { failureActionSchema, failureGroupSchema } from './schema.ts';

const queueSchema = z
  .enum(['answer', 'deliver'])
  .meta({ description: 'answer: messages from visitors. deliver: parts of answers that are sent to them.' });

/** Registers the routes for failures by reason, and for the actions that retry or drop them. */
export function failureRoutes(app: TypedApp, runtime: Runtime): void {
  listGroups(app, runtime);
  startAction(app, runtime);
  listActions(app, runtime);
  stopAction(app, runtime);
}

const listGroupsSchema = {
  ...operatorRoute,
  summary: 'Count the failures of a queue by reason',
  operationId: 'listFailureGroups',
  description:
    'Returns the failures that the filter matches by reason, the most frequent first, at most a hundred reasons.',
  querystring: failureFilterSchema.extend({ queue: queueSchema }),
  response: { 200: z.object({ groups: z.array(failureGroupSchema) }) },
};

function listGroups(app: TypedApp, { database }: Runtime): void {
  const options = { schema: listGroupsSchema, ...needs('operations:read') };
  app.get('/installation/failures', options, async ({ query: { queue, ...filter } }) => {
    const groups = await groupFailures(database.kysely, queue, filter);
    return {
      groups: groups.map(({ oldestAt, newestAt, ...group }) => ({
        ...group,
        oldest_at: oldestAt.toISOString(),
        newest_at: newestAt.toISOString(),
      })),
    };
  });
}

const startActionSchema = {
  ...operatorRoute,
  summary: 'Retry or drop the failures that a filter matches',
  operationId: 'startFailureAction',
  description:
    'Fixes which failures are meant and handles them in the background. `retry` leaves out parts that a platform refused for good. `drop` ends them: a message stays unanswered, a part unsent.',
  body: z.object({
    kind: z.enum(failureActionKinds),
    queue: queueSchema,
    filter: failureFilterSchema.default({}),
  }),
  response: { 202: failureActionSchema },
};

function startAction(app: TypedApp, runtime: Runtime): void {
  const options = { schema: startActionSchema, ...needs('operations:write') };
  app.post('/installation/failure-actions', options, async (request, reply) => {
    const startedBy = requestActor.get(request).name;
    const stores = { ...runtime, database: runtime.database.kysely };
    return reply.code(202).send(present(await startFailureAction(stores, { ...request.body, startedBy })));
  });
}

const listActionsSchema = {
  ...operatorRoute,
  summary: 'List the latest retries and removals of failures',
  operationId: 'listFailureActions',
  description: 'Returns the latest twenty with who started them, their filter and their progress.',
  response: { 200: z.object({ actions: z.array(failureActionSchema) }) },
};

function listActions(app: TypedApp, { database }: Runtime): void {
  const options = { schema: listActionsSchema, ...needs('operations:read') };
  app.get('/installation/failure-actions', options, async () => ({
    actions: (await listFailureActions(database.kysely)).map(present),
  }));
}

const stopActionSchema = {
  ...operatorRoute,
  summary: 'Stop a retry or removal of failures',
  operationId: 'stopFailureAction',
  description: 'It stops after its current batch of 200. What was done stays done.',
  params: z.object({
    action_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('action_not_found')),
  }),
  response: { 200: failureActionSchema, ...errorResponses('action_not_found') },
};

function stopAction(app: TypedApp, { database, clock }: Runtime): void {
  const options = { schema: stopActionSchema, ...needs('operations:write') };
  app.post('/installation/failure-actions/:action_id/stop', options, async ({ params }) =>
    present(await stopFailureAction({ database: database.kysely, clock }, params.action_id)),
  );
}

function present(action: FailureAction): z.output<typeof failureActionSchema> {
  const { startedBy, createdAt, finishedAt, ...fields } = action;
  return {
    ...fields,
    started_by: startedBy,
    created_at: createdAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
}
