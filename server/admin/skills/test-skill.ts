import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { characters } from '../../schemas/characters.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { skillParamsSchema } from './skill-params-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Call an HTTP skill once, on or off, and see what comes of it',
  operationId: 'testSkill',
  description:
    "Calls the skill's address with these arguments and returns the outcome. Stores nothing in a conversation.",
  params: skillParamsSchema,
  body: z
    .object({
      arguments: z.record(z.string(), z.unknown()),
      user_id: characters({ min: 1, max: 200 }).optional().meta({
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
export function testSkill(app: TypedApp, { httpSkills, clock }: Runtime): void {
  app.post('/skills/:skill_id/test', { schema }, async (request) => {
    const { arguments: given, user_id: userId = null } = request.body;
    const begun = clock.now().getTime();
    const trial = { given, userId };
    const tried = await httpSkills.tryOut(addressedWorkspace.of(request).id, request.params.skill_id, trial);
    const { outcome, status, error } = tried;
    const duration_ms = clock.now().getTime() - begun;
    return { says: outcome.says, finding: outcome.finding, status, error, duration_ms };
  });
}
