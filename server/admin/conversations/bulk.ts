import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { conversationFiltersSchema } from '../../../core/conversations/list/filters.ts';
import {
  abortAction,
  type BulkAction,
  bulkChangeSchema,
  bulkStatuses,
  findAction,
  startAction,
  undoAction,
} from '../../../core/inbox/bulk.ts';
import type { StorageServices } from '../../../core/runtime/open-storage.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { callerPermissions, needs, requestActor } from '../../plugins/operator-access.ts';
import { errorResponses, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { toInboxActor, toReader } from './schema.ts';

/** Registers the routes for changes of many conversations. */
export function bulkRoutes(app: TypedApp, runtime: Runtime): void {
  postAction(app, runtime);
  getAction(app, runtime);
  postAbort(app, runtime);
  postUndo(app, runtime);
}

const actionSchema = z
  .object({
    id: z.string(),
    status: z.enum(bulkStatuses).meta({
      description:
        'waiting: a deletion can still be undone. aborted: what was changed until then stays. undoing, undone: it is or was taken back.',
    }),
    actor: z.string(),
    change: bulkChangeSchema,
    total: z.int().meta({ description: 'The conversations that matched when the action was started.' }),
    done: z.int().meta({ description: 'Those that were handled so far.' }),
    changed: z.int().meta({ description: 'Those of them that were changed.' }),
    undone: z.int(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    undo_until: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ConversationAction' });

function presentAction(action: BulkAction): z.output<typeof actionSchema> {
  return {
    id: action.id,
    status: action.status,
    actor: action.actor,
    change: action.change,
    total: action.total,
    done: action.done,
    changed: action.changed,
    undone: action.undone,
    created_at: action.createdAt.toISOString(),
    finished_at: action.finishedAt?.toISOString() ?? null,
    undo_until: action.undoUntil?.toISOString() ?? null,
  };
}

const postActionSchema = {
  ...operatorRoute,
  operationId: 'changeConversations',
  summary: 'Change many conversations in the background',
  description:
    'Changes the conversations with the given `ids`, or all that match `filters` at this moment. Returns at once; `getConversationAction` shows the progress. Deleting needs the permission `inbox:delete`.',
  params: workspaceParamsSchema,
  body: z
    .object({
      ids: z.array(z.string().max(100)).min(1).max(1_000).optional(),
      filters: conversationFiltersSchema.optional(),
      change: bulkChangeSchema,
    })
    .meta({ examples: [{ filters: { view: 'snoozed' }, change: { status: 'resolved' } }] }),
  response: {
    202: actionSchema,
    ...errorResponses('workspace_not_found', 'invalid_snooze_until', 'invalid_assignee_id'),
  },
};

function postAction(app: TypedApp, runtime: Runtime): void {
  const stores = { ...runtime, database: runtime.database.kysely };
  app.post(
    '/conversation-actions',
    { schema: postActionSchema, ...needs('inbox:reply') },
    async (request, reply) => {
      const { ids, filters, change } = request.body;
      if ((ids === undefined) === (filters === undefined)) {
        throw new AppError('missing_field', { detail: 'Exactly one of ids and filters is required.' });
      }
      if (change.delete === true) requireDeletion(request);
      const action = await startAction(stores, toInboxActor(request), {
        reader: toReader(request, runtime.clock.now()),
        change,
        range: ids === undefined ? { filters: filters ?? {} } : { ids },
      });
      return reply.code(202).send(presentAction(action));
    },
  );
}

function requireDeletion(request: Parameters<typeof toInboxActor>[0]): void {
  const actor = requestActor.get(request);
  if (actor.person === null) return;
  const granted = callerPermissions(actor, requestWorkspace.get(request));
  if (granted.includes('inbox:delete')) return;
  throw new AppError('permission_denied', {
    detail:
      'This needs the permission inbox:delete, which your role does not include. Ask an owner of this workspace.',
  });
}

const actionParamsSchema = workspaceParamsSchema.extend({
  action_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('action_not_found')),
});

const found = errorResponses('workspace_not_found', 'action_not_found');

const getActionSchema = {
  ...operatorRoute,
  operationId: 'getConversationAction',
  summary: 'Read how far a bulk action is',
  description: 'Actions are kept for a day.',
  params: actionParamsSchema,
  response: { 200: actionSchema, ...found },
};

function getAction(app: TypedApp, { database }: StorageServices): void {
  const path = '/conversation-actions/:action_id';
  app.get(path, { schema: getActionSchema, ...needs('inbox:read') }, async (request) =>
    presentAction(await findAction(database.kysely, keyOf(request.params))),
  );
}

function keyOf({ workspace_id: workspaceId, action_id: id }: z.output<typeof actionParamsSchema>) {
  return { workspaceId, id };
}

const abortSchema = {
  ...operatorRoute,
  operationId: 'abortConversationAction',
  summary: 'Stop a bulk action',
  description: 'Conversations that were changed until then stay changed. Does nothing to a finished action.',
  params: actionParamsSchema,
  response: { 200: actionSchema, ...found },
};

function postAbort(app: TypedApp, { database, clock }: Runtime): void {
  const stores = { database: database.kysely, clock };
  const path = '/conversation-actions/:action_id/abort';
  app.post(path, { schema: abortSchema, ...needs('inbox:reply') }, async (request) =>
    presentAction(await abortAction(stores, keyOf(request.params))),
  );
}

const undoSchema = {
  ...operatorRoute,
  operationId: 'undoConversationAction',
  summary: 'Take a bulk action back',
  description:
    'Possible while it runs and until ten seconds after its end. Conversations that somebody has changed since stay as they are. A deletion can be undone until it starts.',
  params: actionParamsSchema,
  response: {
    202: actionSchema,
    ...errorResponses('workspace_not_found', 'action_not_found', 'action_not_undoable'),
  },
};

function postUndo(app: TypedApp, runtime: Runtime): void {
  const stores = { ...runtime, database: runtime.database.kysely };
  const path = '/conversation-actions/:action_id/undo';
  app.post(path, { schema: undoSchema, ...needs('inbox:reply') }, async (request, reply) =>
    reply.code(202).send(presentAction(await undoAction(stores, keyOf(request.params)))),
  );
}
