import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import type { ConversationServices } from '../../../core/runtime/open-conversations.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { boundedString } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import {
  operatorRoute,
  requestWorkspace,
  restorableMs,
  restorableQuerySchema,
  workspaceParamsSchema,
} from '../operator-route.ts';
import { presentSkill, skillFieldsSchema, skillParamsSchema, skillSchema } from './schema.ts';

/** Registers the operator's routes for the HTTP skills of a workspace. */
export function skillRoutes(app: TypedApp, runtime: Runtime): void {
  postSkill(app, runtime);
  listSkills(app, runtime);
  getSkill(app, runtime);
  patchSkill(app, runtime);
  deleteSkill(app, runtime);
  restoreSkill(app, runtime);
  testSkill(app, runtime);
}

const { timeout_seconds, runs_for, enabled } = skillFieldsSchema.shape;

const skillExample = {
  name: 'order_status',
  description: 'Looks up the status of an order. Use it when a visitor asks about their order.',
  parameters: {
    type: 'object',
    properties: { order_id: { type: 'string', description: 'The number on the confirmation' } },
    required: ['order_id'],
  },
  url: 'https://example.com/skills/order-status',
};

const postSkillSchema = {
  ...operatorRoute,
  summary: 'Add an HTTP skill',
  operationId: 'createSkill',
  description:
    'Adds an HTTP function of yours that the language model can call while it answers. Calls are signed. The response contains the signing secret, which is not shown again. A workspace has at most 20 skills.',
  params: workspaceParamsSchema,
  body: skillFieldsSchema
    .extend({
      name: z.string().meta({
        description: 'The name that the model calls the skill by. It must be unique in the workspace.',
        pattern: '^[a-z][a-z0-9_]{0,63}$',
      }),
      timeout_seconds: timeout_seconds.default(10),
      runs_for: runs_for.default('everyone'),
      enabled: enabled.default(true),
    })
    .meta({ examples: [skillExample] }),
  response: {
    201: skillSchema.extend({
      secret: z.string().meta({ description: 'The secret that signs the calls. It is shown only once.' }),
    }),
    ...errorResponses('workspace_not_found', 'skill_name_taken', 'too_many_skills'),
  },
};

function postSkill(app: TypedApp, { httpSkills }: ConversationServices): void {
  app.post('/skills', { schema: postSkillSchema, ...needs('developers:write') }, async (request, reply) => {
    const { timeout_seconds: seconds, runs_for: runsFor, ...fields } = request.body;
    const { skill, secret } = await httpSkills.create(
      requestWorkspace.get(request).id,
      { ...fields, timeoutMs: seconds * 1_000, runsFor },
      requestActor.get(request).identity,
    );
    return reply.code(201).send({ ...presentSkill(skill), secret });
  });
}

const listSkillsSchema = {
  ...operatorRoute,
  summary: 'List the HTTP skills of a workspace, newest first',
  operationId: 'listSkills',
  description: 'Returns the HTTP skills of the workspace without their secrets.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ skills: z.array(skillSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

function listSkills(app: TypedApp, { httpSkills }: ConversationServices): void {
  app.get('/skills', { schema: listSkillsSchema, ...needs('developers:read') }, async (request) => {
    const page = await httpSkills.list(requestWorkspace.get(request).id, request.query);
    return { skills: page.items.map(presentSkill), pagination: presentPagination(page) };
  });
}

const getSkillSchema = {
  ...operatorRoute,
  summary: 'Read an HTTP skill',
  operationId: 'getSkill',
  description: 'Returns the skill without its secret.',
  params: skillParamsSchema,
  response: { 200: skillSchema, ...errorResponses('workspace_not_found', 'skill_not_found') },
};

function getSkill(app: TypedApp, { httpSkills }: ConversationServices): void {
  app.get('/skills/:skill_id', { schema: getSkillSchema, ...needs('developers:read') }, async (request) =>
    presentSkill(await httpSkills.get(requestWorkspace.get(request).id, request.params.skill_id)),
  );
}

const patchSkillSchema = {
  ...operatorRoute,
  summary: 'Change an HTTP skill, or enable or disable it',
  operationId: 'updateSkill',
  description: 'Changes only the fields that are sent. The name and the secret cannot be changed here.',
  params: skillParamsSchema,
  body: skillFieldsSchema.partial(),
  response: { 200: skillSchema, ...errorResponses('workspace_not_found', 'skill_not_found') },
};

function patchSkill(app: TypedApp, { httpSkills }: ConversationServices): void {
  app.patch(
    '/skills/:skill_id',
    { schema: patchSkillSchema, ...needs('developers:write') },
    async (request) => {
      const { timeout_seconds: seconds, runs_for: runsFor, ...fields } = request.body;
      if (Object.keys(request.body).length === 0) {
        const detail =
          'Nothing to change. Send description, parameters, url, timeout_seconds, runs_for or enabled.';
        throw new AppError('missing_field', { detail });
      }
      const change = { ...fields, runsFor, timeoutMs: seconds === undefined ? undefined : seconds * 1_000 };
      const { skill_id } = request.params;
      const { identity } = requestActor.get(request);
      return presentSkill(
        await httpSkills.change(requestWorkspace.get(request).id, skill_id, change, identity),
      );
    },
  );
}

const deleteSkillSchema = {
  ...operatorRoute,
  summary: 'Delete an HTTP skill',
  operationId: 'deleteSkill',
  description:
    'Deletes the skill. It is no longer called. With `restorable=true` it can be restored for a minute.',
  params: skillParamsSchema,
  querystring: restorableQuerySchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'skill_not_found') },
};

function deleteSkill(app: TypedApp, { httpSkills }: ConversationServices): void {
  app.delete(
    '/skills/:skill_id',
    { schema: deleteSkillSchema, ...needs('developers:write') },
    async (request, reply) => {
      await httpSkills.delete(requestWorkspace.get(request).id, request.params.skill_id, {
        actor: requestActor.get(request).identity,
        restorableMs: restorableMs(request.query.restorable),
      });
      return reply.code(204).send();
    },
  );
}

const restoreSkillSchema = {
  ...operatorRoute,
  summary: 'Restore a deleted HTTP skill',
  operationId: 'restoreSkill',
  description: 'Takes back a deletion with `restorable=true`, within a minute: the same id and secret.',
  params: skillParamsSchema,
  response: {
    200: skillSchema,
    ...errorResponses('workspace_not_found', 'skill_not_found', 'skill_name_taken', 'too_many_skills'),
  },
};

function restoreSkill(app: TypedApp, { httpSkills }: ConversationServices): void {
  app.post(
    '/skills/:skill_id/restore',
    { schema: restoreSkillSchema, ...needs('developers:write') },
    async (request) => {
      const { id } = requestWorkspace.get(request);
      return presentSkill(
        await httpSkills.restore(id, request.params.skill_id, requestActor.get(request).identity),
      );
    },
  );
}

const testSkillSchema = {
  ...operatorRoute,
  summary: 'Call an HTTP skill once and return its result, even if it is disabled',
  operationId: 'testSkill',
  description:
    'Calls the URL of the skill with these arguments and returns the outcome. Nothing is stored in a conversation.',
  params: skillParamsSchema,
  body: z
    .object({
      arguments: z.record(z.string(), z.unknown()),
      user_id: boundedString({ min: 1, max: 200 }).optional().meta({
        description:
          'Calls the skill on behalf of this visitor, as if their identity were verified. Defaults to an anonymous visitor.',
      }),
    })
    .meta({ examples: [{ arguments: { order_id: 'A-1024' } }] }),
  response: {
    200: z.object({
      says: z.string().nullable().meta({ description: 'The text that the visitor would receive unchanged.' }),
      finding: z.string().nullable().meta({ description: 'The text that the answer would be based on.' }),
      status: z
        .int()
        .nullable()
        .meta({ description: 'The HTTP status of the response. Null if the server did not respond.' }),
      error: z.string().nullable().meta({ description: 'Why the call failed.' }),
      duration_ms: z.int(),
    }),
    ...errorResponses('workspace_not_found', 'skill_not_found'),
  },
};

function testSkill(app: TypedApp, { httpSkills, clock }: Runtime): void {
  app.post(
    '/skills/:skill_id/test',
    { schema: testSkillSchema, ...needs('developers:write') },
    async (request) => {
      const { arguments: given, user_id: userId = null } = request.body;
      const startedAt = clock.now().getTime();
      const trial = { given, userId };
      const result = await httpSkills.tryOut(
        requestWorkspace.get(request).id,
        request.params.skill_id,
        trial,
      );
      const { outcome, status, error } = result;
      const duration_ms = clock.now().getTime() - startedAt;
      return { says: outcome.reply, finding: outcome.finding, status, error, duration_ms };
    },
  );
}
