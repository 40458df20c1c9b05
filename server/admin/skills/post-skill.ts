import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { presentSkill } from './present-skill.ts';
import { skillFieldsSchema } from './skill-fields-schema.ts';
import { skillSchema } from './skill-schema.ts';

const { timeout_seconds, runs_for, enabled } = skillFieldsSchema.shape;

const example = {
  name: 'order_status',
  description: 'Looks up where an order is. Use it when a visitor asks about an order of theirs.',
  parameters: {
    type: 'object',
    properties: { order_id: { type: 'string', description: 'The number on the confirmation' } },
    required: ['order_id'],
  },
  url: 'https://example.com/skills/order-status',
};

const schema = {
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
    .meta({ examples: [example] }),
  response: {
    201: skillSchema.extend({
      secret: z.string().meta({ description: 'What calls are signed with: shown here and nowhere else.' }),
    }),
    ...errorResponses('workspace_not_found', 'skill_name_taken', 'too_many_skills'),
  },
};

/** `POST /admin/v1/workspaces/{workspace_id}/skills`. */
export function postSkill(app: TypedApp, { httpSkills }: Runtime): void {
  app.post('/skills', { schema }, async (request, reply) => {
    const { timeout_seconds: seconds, runs_for: runsFor, ...fields } = request.body;
    const { skill, secret } = await httpSkills.create(addressedWorkspace.of(request).id, {
      ...fields,
      timeoutMs: seconds * 1_000,
      runsFor,
    });
    return reply.code(201).send({ ...presentSkill(skill), secret });
  });
}
