import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { type HookView, hookStates } from '../../../core/sources/hooks/source-hooks.ts';
import { leftOutCodes, MOST_NAMES } from '../../../core/sources/notices/source-notices.ts';
import type { SourceTarget } from '../../../core/sources/sources.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { boundedString } from '../../schemas/fields.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace } from '../operator-route.ts';
import { sourceParamsSchema } from './schema.ts';

/** Registers the routes by which a source learns at once what has changed. */
export function sourceChangeRoutes(app: TypedApp, runtime: Runtime): void {
  nameChanges(app, runtime);
  getHook(app, runtime);
  setUpHook(app, runtime);
  revealHook(app, runtime);
  removeHook(app, runtime);
}

const namesSchema = z.array(boundedString({ min: 1, max: 2_000 })).max(MOST_NAMES);

const changedSchema = {
  ...operatorRoute,
  summary: 'Name items that have changed',
  operationId: 'nameSourceChanges',
  description: `Reads the named items at once, ahead of the list of a run and beside one that is going. An item that no run has found is read too if it belongs to the source; others are left out. At most ${MOST_NAMES} in a call, and 30 calls a minute. A run of changes is held by the same rules as a whole one, counted over a day.`,
  params: sourceParamsSchema,
  body: z
    .object({
      addresses: namesSchema.default([]).meta({ description: 'Addresses of pages, as visitors open them.' }),
      keys: namesSchema.default([]).meta({ description: 'Keys of items, as the list of items has them.' }),
      deleted: z.boolean().default(false).meta({
        description:
          'The items were deleted. Each is read before: a document is removed only if its item does not exist.',
      }),
    })
    .refine(({ addresses, keys }) => addresses.length + keys.length > 0, {
      path: ['addresses'],
      message: 'Name at least one address or key.',
    })
    .refine(({ addresses, keys }) => addresses.length + keys.length <= MOST_NAMES, {
      path: ['addresses'],
      message: `Name at most ${MOST_NAMES} addresses and keys.`,
    })
    .meta({ examples: [{ addresses: ['https://acme.example/help/returns'] }] }),
  response: {
    202: z
      .object({
        taken: z.int().nonnegative().meta({ description: 'Items that are read now.' }),
        left_out: z.array(z.object({ name: z.string(), code: z.enum(leftOutCodes) })).meta({
          description:
            'unknown_item: it does not belong to the source. excluded: by a pattern. deleted_by_hand: somebody deleted its document. too_many_items: the source has max_items already.',
        }),
      })
      .meta({ id: 'SourceChangesTaken' }),
    ...errorResponses(
      'workspace_not_found',
      'source_not_found',
      'source_paused',
      'rate_limit_minute',
      'too_many_changes',
    ),
  },
};

function nameChanges(app: TypedApp, { sourceNotices }: Runtime): void {
  app.post(
    '/sources/:source_id/changed',
    { schema: changedSchema, ...needs('knowledge:write', { scope: 'documents:write' }) },
    async (request, reply) => {
      const { addresses, keys, deleted: isDeletion } = request.body;
      const { workspaceId, id, actor } = targetOf(request);
      const { taken, leftOut } = await sourceNotices.take(
        { workspaceId, id, startedBy: actor.name },
        [...addresses, ...keys].map((name) => ({ name, isDeletion })),
      );
      return reply.code(202).send({ taken, left_out: leftOut.map((one) => ({ ...one })) });
    },
  );
}

const hookSchema = z
  .object({
    state: z.enum(hookStates).meta({
      description:
        'waiting: for the secret. received: the tool has sent its secret, which can be shown once. on: calls of the tool are believed.',
    }),
    secret_from: z.enum(['parley', 'person', 'tool']).meta({
      description:
        'parley: it is made here, and entered in the tool. person: it is copied from the tool. tool: the tool sends it in its first call.',
    }),
    address: z.string().nullable().meta({ description: 'Where the tool calls. Null without PUBLIC_URL.' }),
    secret: z.string().nullable().meta({ description: 'Shown in this answer only.' }),
    since: z.iso.datetime().nullable(),
    called_at: z.iso.datetime().nullable().meta({ description: 'The last call that was believed.' }),
  })
  .meta({ id: 'SourceWebhook' });

const hookRoute = {
  ...operatorRoute,
  params: sourceParamsSchema,
  response: {
    200: hookSchema,
    ...errorResponses('workspace_not_found', 'source_not_found', 'source_hook_unavailable'),
  },
};

const getHookSchema = {
  ...hookRoute,
  summary: 'Read the webhook of a source',
  operationId: 'getSourceWebhook',
  description:
    'Returns the address at which the tool of the source tells of changes, and whether it does. The secret is never returned.',
};

function getHook(app: TypedApp, runtime: Runtime): void {
  app.get(
    '/sources/:source_id/webhook',
    { schema: getHookSchema, ...needs('knowledge:read') },
    async (request) => {
      const { workspaceId, id } = targetOf(request);
      return present(runtime, id, await runtime.sourceHooks.get(workspaceId, id));
    },
  );
}

const setUpHookSchema = {
  ...hookRoute,
  summary: 'Set up the webhook of a source',
  operationId: 'setUpSourceWebhook',
  description:
    'Sets the webhook up anew; an earlier secret is not believed any more. For GitHub, the answer has the secret to enter there, once. For Zendesk, send the signing secret of the webhook that you made there for the address. For Notion, the tool sends its token within the hour.',
  body: z
    .object({
      secret: boundedString({ min: 16, max: 500 })
        .optional()
        .meta({
          description: 'The secret that a person has copied from the tool.',
          examples: ['5f2b8c0d9e1a4f7b6c3d'],
        }),
    })
    .nullish(),
};

function setUpHook(app: TypedApp, runtime: Runtime): void {
  app.put(
    '/sources/:source_id/webhook',
    { schema: setUpHookSchema, ...needs('knowledge:write') },
    async (request) => {
      const target = targetOf(request);
      return present(runtime, target.id, await runtime.sourceHooks.setUp(target, request.body?.secret));
    },
  );
}

const revealHookSchema = {
  ...hookRoute,
  summary: 'Show the secret that a tool has sent, once',
  operationId: 'showSourceWebhookSecret',
  description: 'Returns the token that Notion has sent to the address, to enter it there. It is shown once.',
  response: { ...hookRoute.response, ...errorResponses('hook_secret_not_sent') },
};

function revealHook(app: TypedApp, runtime: Runtime): void {
  app.post(
    '/sources/:source_id/webhook/secret',
    { schema: revealHookSchema, ...needs('knowledge:write') },
    async (request) => {
      const target = targetOf(request);
      return present(runtime, target.id, await runtime.sourceHooks.reveal(target));
    },
  );
}

const removeHookSchema = {
  ...hookRoute,
  summary: 'Remove the webhook of a source',
  operationId: 'removeSourceWebhook',
  description: 'Calls of the tool are not believed any more. Remove the webhook in the tool too.',
};

function removeHook(app: TypedApp, runtime: Runtime): void {
  app.delete(
    '/sources/:source_id/webhook',
    { schema: removeHookSchema, ...needs('knowledge:write') },
    async (request) => {
      const target = targetOf(request);
      return present(runtime, target.id, await runtime.sourceHooks.remove(target));
    },
  );
}

function targetOf(
  request: FastifyRequest & { readonly params: z.output<typeof sourceParamsSchema> },
): SourceTarget {
  return {
    workspaceId: requestWorkspace.get(request).id,
    id: request.params.source_id,
    actor: requestActor.get(request).identity,
  };
}

function present(
  { config }: Runtime,
  id: string,
  { state, secretFrom, secret, since, calledAt }: HookView,
): z.output<typeof hookSchema> {
  return {
    ...{ state, secret_from: secretFrom, secret },
    address: config.PUBLIC_URL === undefined ? null : `${config.PUBLIC_URL}/webhooks/sources/${id}`,
    since: since?.toISOString() ?? null,
    called_at: calledAt?.toISOString() ?? null,
  };
}
