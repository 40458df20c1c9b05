import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { nameSchema } from '../../schemas/name-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { keySchema } from './key-schema.ts';
import { presentKey } from './present-key.ts';

const schema = {
  ...operatorRoute,
  summary: 'Create an API key',
  operationId: 'createKey',
  description:
    'Creates an API key with its own rate limits. The response holds the key itself, which is not shown again.',
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
      key: z.string().meta({ description: 'The key itself: shown here and nowhere else.' }),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

/** `POST /admin/v1/workspaces/{workspace_id}/keys`. */
export function postKey(app: TypedApp, { apiKeys, guesses }: Runtime): void {
  app.post('/keys', { schema }, async (request, reply) => {
    const { name, rate_limit_minute, rate_limit_day, expires_at } = request.body;
    const { apiKey, value } = await apiKeys.create(addressedWorkspace.of(request).id, {
      name,
      rateLimitMinute: rate_limit_minute,
      rateLimitDay: rate_limit_day,
      expiresAt: expires_at === undefined ? undefined : new Date(expires_at),
    });
    guesses.recognise('api_key', value);
    return reply.code(201).send({ ...presentKey(apiKey), key: value });
  });
}
