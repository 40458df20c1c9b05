import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../../core/errors.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { graceSeconds, type Rotated } from '../../../core/workspaces/secret-rotation.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { channelParamsSchema } from '../channels/schema.ts';
import { keyParamsSchema } from '../keys/schema.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { skillParamsSchema } from '../skills/schema.ts';
import { webhookParamsSchema } from '../webhooks/schema.ts';

const bodySchema = z
  .object({
    grace_seconds: z.number().int().min(0).max(graceSeconds.most).default(graceSeconds.usual).meta({
      description: 'How long the former value still works; 0: it ends at once.',
    }),
  })
  .meta({ examples: [{ grace_seconds: 3_600 }] })
  .nullish();

const previousValidUntil = z.iso.datetime().meta({ description: 'When the former value ends, or ended.' });
const once = { description: 'Shown here and nowhere else.' };

/**
 * `POST …/rotate` below a workspace: a new value, beside which the former one works for a while. Of two rotations within
 * a grace period the second ends the first value.
 */
export function secretRoutes(app: TypedApp, runtime: Runtime): void {
  rotateWorkspaceSecrets(app, runtime);
  rotateWebhookSecret(app, runtime);
  rotateSkillSecret(app, runtime);
  rotateKey(app, runtime);
  rotateChannelToken(app, runtime);
}

function rotateWorkspaceSecrets(app: TypedApp, { workspaces, log }: Runtime): void {
  const params = workspaceParamsSchema;
  const identitySchema = {
    ...rotation(
      'rotateIdentitySecret',
      'Rotate the identity secret',
      'Hashes and verification tokens made with either secret are accepted until the grace period ends.',
    ),
    params,
    response: {
      200: z.object({
        identity_secret: z.string().meta(once),
        previous_valid_until: previousValidUntil,
      }),
      ...errorResponses('workspace_not_found'),
    },
  };
  app.post('/identity_secret/rotate', { schema: identitySchema }, async (request) => {
    const { id } = requestWorkspace.get(request);
    const rotated = await workspaces.rotateIdentitySecret(id, wanted(request.body));
    logRotation(log, request, { secret: 'identity_secret', rotated });
    return {
      identity_secret: rotated.secret,
      previous_valid_until: rotated.previousValidUntil.toISOString(),
    };
  });
  const tokenSchema = {
    ...rotation(
      'rotatePublicToken',
      "Rotate the workspace's public token",
      'It opens the first widget of the workspace; a token that a widget has of its own stays. Sessions go on.',
    ),
    params,
    response: {
      200: z.object({ public_token: z.string(), previous_valid_until: previousValidUntil }),
      ...errorResponses('workspace_not_found'),
    },
  };
  app.post('/public_token/rotate', { schema: tokenSchema }, async (request) => {
    const { id } = requestWorkspace.get(request);
    const rotated = await workspaces.rotatePublicToken(id, wanted(request.body));
    logRotation(log, request, { secret: 'public_token', rotated });
    return { public_token: rotated.secret, previous_valid_until: rotated.previousValidUntil.toISOString() };
  });
}

function rotateWebhookSecret(app: TypedApp, { webhooks, log }: Runtime): void {
  const schema = {
    ...rotation(
      'rotateWebhookSecret',
      'Rotate the signing secret of a webhook',
      'Deliveries carry a signature of each secret until the grace period ends.',
    ),
    params: webhookParamsSchema,
    response: signingResponse('webhook_not_found'),
  };
  app.post('/webhooks/:hook_id/rotate', { schema }, async (request) => {
    const { hook_id: id } = request.params;
    const rotated = await webhooks.rotateSecret(requestWorkspace.get(request).id, id, wanted(request.body));
    logRotation(log, request, { secret: 'webhook', id, rotated });
    return presentSigning(id, rotated);
  });
}

function rotateSkillSecret(app: TypedApp, { httpSkills, log }: Runtime): void {
  const schema = {
    ...rotation(
      'rotateSkillSecret',
      'Rotate the signing secret of an HTTP skill',
      'Calls carry a signature of each secret until the grace period ends.',
    ),
    params: skillParamsSchema,
    response: signingResponse('skill_not_found'),
  };
  app.post('/skills/:skill_id/rotate', { schema }, async (request) => {
    const { skill_id: id } = request.params;
    const workspaceId = requestWorkspace.get(request).id;
    const rotated = await httpSkills.rotateSecret(workspaceId, id, wanted(request.body));
    logRotation(log, request, { secret: 'skill', id, rotated });
    return presentSigning(id, rotated);
  });
}

function rotateKey(app: TypedApp, { apiKeys, log }: Runtime): void {
  const schema = {
    ...rotation(
      'rotateKey',
      'Rotate an API key',
      'Id, name, limits, counts and expiry stay; both values count together until the grace period ends.',
    ),
    params: keyParamsSchema,
    response: {
      200: z.object({
        id: z.string(),
        key: z.string().meta(once),
        previous_valid_until: previousValidUntil,
      }),
      ...errorResponses('workspace_not_found', 'key_not_found', 'key_expired'),
    },
  };
  app.post('/keys/:key_id/rotate', { schema }, async (request) => {
    const { key_id: id } = request.params;
    const rotated = await apiKeys.rotate(requestWorkspace.get(request).id, id, wanted(request.body));
    logRotation(log, request, { secret: 'key', id, rotated });
    return { id, key: rotated.secret, previous_valid_until: rotated.previousValidUntil.toISOString() };
  });
}

function rotateChannelToken(app: TypedApp, { channels, log }: Runtime): void {
  const schema = {
    ...rotation(
      'rotateChannelToken',
      'Rotate the public token of a widget',
      'Both tokens open the widget until the grace period ends, and sessions go on.',
    ),
    params: channelParamsSchema,
    response: {
      200: z.object({ id: z.string(), public_token: z.string(), previous_valid_until: previousValidUntil }),
      ...errorResponses('workspace_not_found', 'channel_not_found', 'no_public_token'),
    },
  };
  app.post('/channels/:chan_id/rotate', { schema }, async (request) => {
    const { chan_id: id } = request.params;
    const workspaceId = requestWorkspace.get(request).id;
    const rotated = await channels.rotatePublicToken(workspaceId, id, wanted(request.body));
    logRotation(log, request, { secret: 'channel', id, rotated });
    return {
      id,
      public_token: rotated.secret,
      previous_valid_until: rotated.previousValidUntil.toISOString(),
    };
  });
}

function rotation(operationId: string, summary: string, description: string) {
  return { ...operatorRoute, operationId, summary, description, body: bodySchema };
}

function signingResponse(...codes: readonly ErrorCode[]) {
  return {
    200: z.object({
      id: z.string(),
      secret: z.string().meta(once),
      previous_valid_until: previousValidUntil,
    }),
    ...errorResponses('workspace_not_found', ...codes),
  };
}

function presentSigning(id: string, { secret, previousValidUntil: until }: Rotated) {
  return { id, secret, previous_valid_until: until.toISOString() };
}

function wanted(body: z.output<typeof bodySchema>) {
  return { graceSeconds: body?.grace_seconds ?? graceSeconds.usual };
}

interface Noted {
  readonly secret: string;
  /** Of what has the secret, beside the workspace. */
  readonly id?: string;
  readonly rotated: Rotated;
}

/** Never the value. */
function logRotation(log: Runtime['log'], request: FastifyRequest, { secret, id, rotated }: Noted): void {
  const { previousValidUntil: until } = rotated;
  const workspace = requestWorkspace.get(request).id;
  log.info(
    { workspace, rotated: secret, of: id, previousValidUntil: until, request: request.id },
    'secret rotated',
  );
}
