import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import type { WorkspaceServices } from '../../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { denyWholeOwner } from '../../../core/workspaces/keys/api-keys.ts';
import {
  defaultKeyScopes,
  keyModes,
  keyReaches,
  keyScopes,
} from '../../../core/workspaces/keys/key-scopes.ts';
import { isLimitedMember, needs, requestActor } from '../../plugins/operator-access.ts';
import { nameSchema } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { allowedNetworksSchema, keyParamsSchema, keySchema, presentKey } from './schema.ts';

/** Registers the operator's routes for the API keys of a workspace. */
export function keyRoutes(app: TypedApp, runtime: Runtime): void {
  postKey(app, runtime);
  listKeys(app, runtime);
  patchKey(app, runtime);
  deleteKey(app, runtime);
  restoreKey(app, runtime);
}

const limits = {
  rate_limit_minute: z.number().int().min(1).max(1_000).optional(),
  rate_limit_day: z.number().int().min(1).max(100_000).optional(),
};

const postKeySchema = {
  ...operatorRoute,
  summary: 'Create an API key',
  operationId: 'createKey',
  description:
    'Creates an API key with its own rate limits and scopes, which do not change later. The response contains the key, which is not shown again. Operations that take a key name its scope in `x-scope`. Nothing asks for `events:read` and `channels:write` yet.',
  params: workspaceParamsSchema,
  body: z
    .object({
      name: nameSchema,
      ...limits,
      scopes: z
        .array(z.enum(keyScopes))
        .min(1)
        .max(50)
        .optional()
        .meta({ description: `What the key may do. Absent: ${defaultKeyScopes.join(', ')}.` }),
      workspaces: z.enum(keyReaches).optional().meta({
        description:
          'own: the key reaches this workspace only. owner: all workspaces of its owner. Absent: owner, but own if the caller is a member of some of them only.',
      }),
      mode: z.enum(keyModes).optional().meta({
        description:
          'test: what the key asks is not counted, nobody but test keys sees its conversations, and they are deleted after 7 days. Absent: live.',
      }),
      allowed_networks: allowedNetworksSchema,
      expires_at: z.iso.datetime({ offset: true }).optional(),
    })
    .meta({ examples: [{ name: 'Website', rate_limit_minute: 120, scopes: ['query', 'search'] }] }),
  response: {
    201: keySchema.extend({
      key: z.string().meta({ description: 'The API key. It is shown only once.' }),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function postKey(app: TypedApp, { apiKeys, guesses }: WorkspaceServices): void {
  app.post(
    '/keys',
    { schema: postKeySchema, ...needs('developers:write', { fresh: true }) },
    async (request, reply) => {
      const {
        name,
        rate_limit_minute,
        rate_limit_day,
        scopes,
        workspaces,
        mode,
        allowed_networks,
        expires_at,
      } = request.body;
      const workspace = requestWorkspace.get(request);
      const isLimited = isLimitedMember(request, workspace);
      if (workspaces === 'owner' && isLimited) throw denyWholeOwner();
      const { apiKey, value } = await apiKeys.create(
        workspace.id,
        {
          name,
          rateLimitMinute: rate_limit_minute,
          rateLimitDay: rate_limit_day,
          scopes,
          workspaces: workspaces ?? (isLimited ? 'own' : 'owner'),
          mode,
          allowedNetworks: allowed_networks,
          expiresAt: expires_at === undefined ? undefined : new Date(expires_at),
        },
        requestActor.get(request).identity,
      );
      guesses.recognise('api_key', value);
      return reply.code(201).send({ ...presentKey(apiKey), key: value });
    },
  );
}

const listKeysSchema = {
  ...operatorRoute,
  summary: 'List the API keys of a workspace, newest first',
  operationId: 'listKeys',
  description:
    'Returns the keys of the workspace without their values, with their outcomes of the last 30 days. Requests to other processes in the last ten seconds are missing.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema.extend({
    revoked: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'true returns the revoked keys in place of the others.' }),
  }),
  response: {
    200: z.object({ keys: z.array(keySchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

function listKeys(app: TypedApp, { apiKeys, keyOutcomes }: WorkspaceServices): void {
  app.get('/keys', { schema: listKeysSchema, ...needs('developers:read') }, async (request) => {
    const { revoked, ...wanted } = request.query;
    await keyOutcomes.flush();
    const { id } = requestWorkspace.get(request);
    const page = await apiKeys.list(id, wanted, { revoked: revoked === 'true' });
    const days = await apiKeys.days(page.items);
    return {
      keys: page.items.map((key) => presentKey(key, days.get(key.id))),
      pagination: presentPagination(page),
    };
  });
}

const patchKeySchema = {
  ...operatorRoute,
  summary: 'Change an API key',
  operationId: 'updateKey',
  description: 'Changes only the fields that are sent. The value of the key stays the same.',
  params: keyParamsSchema,
  body: z
    .object({
      name: nameSchema.optional(),
      ...limits,
      allowed_networks: allowedNetworksSchema,
      expires_at: z.iso
        .datetime({ offset: true })
        .nullable()
        .optional()
        .meta({ description: 'Null: the key does not expire.' }),
    })
    .meta({ examples: [{ rate_limit_minute: 120 }] }),
  response: { 200: keySchema, ...errorResponses('workspace_not_found', 'key_not_found') },
};

function patchKey(app: TypedApp, { apiKeys }: WorkspaceServices): void {
  app.patch('/keys/:key_id', { schema: patchKeySchema, ...needs('developers:write') }, async (request) => {
    const { name, rate_limit_minute, rate_limit_day, allowed_networks, expires_at } = request.body;
    if (Object.keys(request.body).length === 0) {
      const detail =
        'Nothing to change. Send name, rate_limit_minute, rate_limit_day, allowed_networks or expires_at.';
      throw new AppError('missing_field', { detail });
    }
    const change = {
      name,
      rateLimitMinute: rate_limit_minute,
      rateLimitDay: rate_limit_day,
      allowedNetworks: allowed_networks,
      expiresAt: typeof expires_at === 'string' ? new Date(expires_at) : expires_at,
    };
    const { id } = requestWorkspace.get(request);
    const actor = requestActor.get(request).identity;
    const key = await apiKeys.change(id, request.params.key_id, change, actor);
    return presentKey(key, (await apiKeys.days([key])).get(key.id));
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

function deleteKey(app: TypedApp, { apiKeys }: WorkspaceServices): void {
  app.delete(
    '/keys/:key_id',
    { schema: deleteKeySchema, ...needs('developers:write') },
    async (request, reply) => {
      const { identity } = requestActor.get(request);
      await apiKeys.revoke(requestWorkspace.get(request).id, request.params.key_id, identity);
      return reply.code(204).send();
    },
  );
}

const restoreKeySchema = {
  ...operatorRoute,
  summary: 'Take the revocation of an API key back',
  operationId: 'restoreKey',
  description:
    'Makes a key that was revoked in the last hour valid again, with the same value. Where it was refused in the last minute, it can take a minute.',
  params: keyParamsSchema,
  response: { 200: keySchema, ...errorResponses('workspace_not_found', 'key_not_found') },
};

function restoreKey(app: TypedApp, { apiKeys, guesses }: WorkspaceServices): void {
  app.post(
    '/keys/:key_id/restore',
    { schema: restoreKeySchema, ...needs('developers:write') },
    async (request) => {
      const { id } = requestWorkspace.get(request);
      const actor = requestActor.get(request).identity;
      const key = await apiKeys.restore(id, request.params.key_id, actor);
      guesses.reconsider();
      return presentKey(key, (await apiKeys.days([key])).get(key.id));
    },
  );
}
