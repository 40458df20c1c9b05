import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { boundedString } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { presentSkill, skillFieldsSchema, skillParamsSchema, skillSchema } from './schema.ts';

/** What operators do with the HTTP skills of a workspace. */
export function skillRoutes(app: TypedApp, runtime: Runtime): void {
  postSkill(app, runtime);
  listSkills(app, runtime);
  getSkill(app, runtime);
  patchSkill(app, runtime);
  deleteSkill(app, runtime);
  testSkill(app, runtime);
}

const { timeout_seconds, runs_for, enabled } = skillFieldsSchema.shape;

const skillExample = {
  name: 'order_status',
  description: 'Looks up where an order is. Use it when a visitor asks about an order of theirs.',
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
    'Adds a function at an address of yours that a language model may call while it answers. Calls are signed; the response holds the secret, which is not shown again. A workspace has at most 20.',
  params: workspaceParamsSchema,
  body: skillFieldsSchema
    .extend({
      name: z.string().meta({
        description: 'What models call it by: no two skills of a workspace have the same.',
        pattern: '^[a-z][a-z0-9_]{0,63}$',
      }),
      timeout_seconds: timeout_seconds.default(10),
      runs_for: runs_for.default('everyone'),
      enabled: enabled.default(true),
    })
    .meta({ examples: [skillExample] }),
  response: {
    201: skillSchema.extend({
      secret: z.string().meta({ description: 'What calls are signed with: shown here and nowhere else.' }),
    }),
    ...errorResponses('workspace_not_found', 'skill_name_taken', 'too_many_skills'),
  },
};

/** `POST /admin/v1/workspaces/{workspace_id}/skills`. */
function postSkill(app: TypedApp, { httpSkills }: Runtime): void {
  app.post('/skills', { schema: postSkillSchema }, async (request, reply) => {
    const { timeout_seconds: seconds, runs_for: runsFor, ...fields } = request.body;
    const { skill, secret } = await httpSkills.create(requestWorkspace.get(request).id, {
      ...fields,
      timeoutMs: seconds * 1_000,
      runsFor,
    });
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

/** `GET /admin/v1/workspaces/{workspace_id}/skills`. */
function listSkills(app: TypedApp, { httpSkills }: Runtime): void {
  app.get('/skills', { schema: listSkillsSchema }, async (request) => {
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

/** `GET /admin/v1/workspaces/{workspace_id}/skills/{skill_id}`. */
function getSkill(app: TypedApp, { httpSkills }: Runtime): void {
  app.get('/skills/:skill_id', { schema: getSkillSchema }, async (request) =>
    presentSkill(await httpSkills.get(requestWorkspace.get(request).id, request.params.skill_id)),
  );
}

const patchSkillSchema = {
  ...operatorRoute,
  summary: 'Change an HTTP skill, or switch it on or off',
  operationId: 'updateSkill',
  description: 'Changes only the fields that are sent. The name and the secret stay.',
  params: skillParamsSchema,
  body: skillFieldsSchema.partial(),
  response: { 200: skillSchema, ...errorResponses('workspace_not_found', 'skill_not_found') },
};

/** `PATCH /admin/v1/workspaces/{workspace_id}/skills/{skill_id}`. */
function patchSkill(app: TypedApp, { httpSkills }: Runtime): void {
  app.patch('/skills/:skill_id', { schema: patchSkillSchema }, async (request) => {
    const { timeout_seconds: seconds, runs_for: runsFor, ...fields } = request.body;
    if (Object.keys(request.body).length === 0) {
      const detail =
        'Nothing to change: give description, parameters, url, timeout_seconds, runs_for or enabled.';
      throw new AppError('missing_field', { detail });
    }
    const change = { ...fields, runsFor, timeoutMs: seconds === undefined ? undefined : seconds * 1_000 };
    const { skill_id } = request.params;
    return presentSkill(await httpSkills.change(requestWorkspace.get(request).id, skill_id, change));
  });
}

const deleteSkillSchema = {
  ...operatorRoute,
  summary: 'Delete an HTTP skill',
  operationId: 'deleteSkill',
  description: 'Deletes the skill. It is not called from now on.',
  params: skillParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'skill_not_found') },
};

/** `DELETE /admin/v1/workspaces/{workspace_id}/skills/{skill_id}`. */
function deleteSkill(app: TypedApp, { httpSkills }: Runtime): void {
  app.delete('/skills/:skill_id', { schema: deleteSkillSchema }, async (request, reply) => {
    await httpSkills.delete(requestWorkspace.get(request).id, request.params.skill_id);
    return reply.code(204).send();
  });
}

const testSkillSchema = {
  ...operatorRoute,
  summary: 'Call an HTTP skill once, on or off, and see what comes of it',
  operationId: 'testSkill',
  description:
    "Calls the skill's address with these arguments and returns the outcome. Stores nothing in a conversation.",
  params: skillParamsSchema,
  body: z
    .object({
      arguments: z.record(z.string(), z.unknown()),
      user_id: boundedString({ min: 1, max: 200 }).optional().meta({
        description: 'Calls it as for this visitor, as if proven; for nobody in particular when absent.',
      }),
    })
    .meta({ examples: [{ arguments: { order_id: 'A-1024' } }] }),
  response: {
    200: z.object({
      says: z.string().nullable().meta({ description: 'What a visitor would be told as it is.' }),
      finding: z.string().nullable().meta({ description: 'What an answer would be written from.' }),
      status: z.int().nullable().meta({ description: 'What its server answered; null where it did not.' }),
      error: z.string().nullable().meta({ description: 'Why it failed.' }),
      duration_ms: z.int(),
    }),
    ...errorResponses('workspace_not_found', 'skill_not_found'),
  },
};

/** `POST /admin/v1/workspaces/{workspace_id}/skills/{skill_id}/test`. */
function testSkill(app: TypedApp, { httpSkills, clock }: Runtime): void {
  app.post('/skills/:skill_id/test', { schema: testSkillSchema }, async (request) => {
    const { arguments: given, user_id: userId = null } = request.body;
    const begun = clock.now().getTime();
    const trial = { given, userId };
    const tried = await httpSkills.tryOut(requestWorkspace.get(request).id, request.params.skill_id, trial);
    const { outcome, status, error } = tried;
    const duration_ms = clock.now().getTime() - begun;
    return { says: outcome.reply, finding: outcome.finding, status, error, duration_ms };
  });
}
