import { z } from 'zod';
import { requireModel } from '../../../core/answering/models/require-model.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { planSchema } from '../../../core/workspaces/plan.ts';
import { workspaceSettingsSchema } from '../../../core/workspaces/workspace-settings.ts';
import { characters } from '../../schemas/characters.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { nameSchema } from '../../schemas/name-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';
import { presentWorkspace } from './present-workspace.ts';
import { workspaceSchema } from './workspace-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Create a workspace',
  operationId: 'createWorkspace',
  description:
    'Creates a workspace, by default for a new owner and on the plan `starter`. The response holds the identity secret, which is not shown again.',
  body: z
    .object({
      name: nameSchema,
      plan: planSchema.default('starter'),
      owner: characters({ min: 1, max: 100 }).optional().meta({ description: 'A new owner when absent.' }),
      settings: workspaceSettingsSchema.optional(),
    })
    .meta({ examples: [{ name: 'Acme help', settings: { audiences: ['staff'] } }] }),
  response: {
    201: workspaceSchema.extend({
      identity_secret: z.string().meta({ description: 'Shown here and nowhere else.' }),
    }),
    ...errorResponses('owner_not_found'),
  },
};

/** `POST /admin/v1/workspaces`. */
export function postWorkspace(app: TypedApp, { config, workspaces, guesses }: Runtime): void {
  app.post('/workspaces', { schema }, async (request, reply) => {
    requireModel(config, request.body.settings?.model);
    const { workspace, identitySecret } = await workspaces.create(request.body);
    guesses.recognise('public_token', workspace.publicToken);
    return reply.code(201).send({ ...presentWorkspace(workspace), identity_secret: identitySecret });
  });
}
