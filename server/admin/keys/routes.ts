import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { nameSchema } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { keyParamsSchema, keySchema, presentKey } from './schema.ts';

/** Registers the operator's routes for the API keys of a workspace. */
export function keyRoutes(app: TypedApp, runtime: Runtime): void {
  postKey(app, runtime);
  listKeys(app, runtime);
  deleteKey(app, runtime);
}

const postKeySchema = {
  ...operatorRoute,
  summary: 'Create an API key',
  operationId: 'createKey',
  description:
    'Creates an API key with its own rate limits. The response contains the key, which is not shown again.',
  params: workspaceParamsSchema,
  body: z
    .object({
      name: nameSchema,
      rate_limit_minute: z.number().int().min(1).max(1_000).optional(),
      rate_limit_day: z.number().int().min(1).max(100_000).optional(),
      expires_at: z.iso.datetime({ offset: true }).optional(),
    })
    .meta({ examples: [{ name: 'Website', rate_limit_minute: 120 }] }),
  response: {
    201: keySchema.extend({
      key: z.string().meta({ description: 'The API key. It is shown only once.' }),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function postKey(app: TypedApp, { apiKeys, guesses }: Runtime): void {
  app.post('/keys', { schema: postKeySchema, ...needs('developers:write') }, async (request, reply) => {
    const { name, rate_limit_minute, rate_limit_day, expires_at } = request.body;
    const { apiKey, value } = await apiKeys.create(requestWorkspace.get(request).id, {
      name,
      rateLimitMinute: rate_limit_minute,
      rateLimitDay: rate_limit_day,
      expiresAt: expires_at === undefined ? undefined : new Date(expires_at),
    });
    guesses.recognise('api_key', value);
    return reply.code(201).send({ ...presentKey(apiKey), key: value });
  });
}

const listKeysSchema = {
  ...operatorRoute,
  summary: 'List the API keys of a workspace, newest first',
  operationId: 'listKeys',
  description: 'Returns the keys of the workspace without their values.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ keys: z.array(keySchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

function listKeys(app: TypedApp, { apiKeys }: Runtime): void {
  app.get('/keys', { schema: listKeysSchema, ...needs('developers:read') }, async (request) => {
    const page = await apiKeys.list(requestWorkspace.get(request).id, request.query);
    return { keys: page.items.map(presentKey), pagination: presentPagination(page) };
  });
}

const deleteKeySchema = {
  ...operatorRoute,
  summary: 'Revoke an API key',
  operationId: 'revokeKey',
  description: 'Revokes the key. Requests with it are rejected with `401 invalid_key` immediately.',
  params: keyParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'key_not_found') },
};

function deleteKey(app: TypedApp, { apiKeys }: Runtime): void {
  app.delete(
    '/keys/:key_id',
    { schema: deleteKeySchema, ...needs('developers:write') },
    async (request, reply) => {
      await apiKeys.revoke(requestWorkspace.get(request).id, request.params.key_id);
      return reply.code(204).send();
    },
  );
}
