import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../../core/base/error-catalogue.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { graceSeconds, type Rotated } from '../../../core/secrets/secret-rotation.ts';
import { isLimitedMember, needs, requestActor } from '../../plugins/operator-access.ts';
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
      description: 'How long the old value remains valid. 0 ends it immediately.',
    }),
  })
  .meta({ examples: [{ grace_seconds: 3_600 }] })
  .nullish();

const previousValidUntil = z.iso.datetime().meta({ description: 'When the old value expires or expired.' });
const once = { description: 'The new value. It is shown only once.' };

/**
 * Registers `POST …/rotate` for each secret below a workspace. Rotation creates a new value, and the old one
 * remains valid for a grace period. A second rotation within the grace period ends the first value.
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
      'Hashes and verification tokens that were made with either secret are accepted until the grace period ends.',
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
  app.post(
    '/identity_secret/rotate',
    { schema: identitySchema, ...needs('workspace:write', { fresh: true }) },
    async (request) => {
      const { id } = requestWorkspace.get(request);
      const rotated = await workspaces.rotateIdentitySecret(id, toRotation(request));
      logRotation(log, request, { secret: 'identity_secret', rotated });
      return {
        identity_secret: rotated.secret,
        previous_valid_until: rotated.previousValidUntil.toISOString(),
      };
    },
  );
  const tokenSchema = {
    ...rotation(
      'rotatePublicToken',
      "Rotate the workspace's public token",
      "The token opens the first widget of the workspace; a widget's own token does not change. Sessions continue.",
    ),
    params,
    response: {
      200: z.object({ public_token: z.string(), previous_valid_until: previousValidUntil }),
      ...errorResponses('workspace_not_found'),
    },
  };
  app.post(
    '/public_token/rotate',
    { schema: tokenSchema, ...needs('workspace:write', { fresh: true }) },
    async (request) => {
      const { id } = requestWorkspace.get(request);
      const rotated = await workspaces.rotatePublicToken(id, toRotation(request));
      logRotation(log, request, { secret: 'public_token', rotated });
      return { public_token: rotated.secret, previous_valid_until: rotated.previousValidUntil.toISOString() };
    },
  );
}

function rotateWebhookSecret(app: TypedApp, { webhooks, log }: Runtime): void {
  const schema = {
    ...rotation(
      'rotateWebhookSecret',
      'Rotate the signing secret of a webhook',
      'Deliveries are signed with both secrets until the grace period ends.',
    ),
    params: webhookParamsSchema,
    response: signingResponse('webhook_not_found'),
  };
  app.post(
    '/webhooks/:hook_id/rotate',
    { schema, ...needs('developers:write', { fresh: true }) },
    async (request) => {
      const { hook_id: id } = request.params;
      const rotated = await webhooks.rotateSecret(requestWorkspace.get(request).id, id, toRotation(request));
      logRotation(log, request, { secret: 'webhook', id, rotated });
      return presentSigning(id, rotated);
    },
  );
}

function rotateSkillSecret(app: TypedApp, { httpSkills, log }: Runtime): void {
  const schema = {
    ...rotation(
      'rotateSkillSecret',
      'Rotate the signing secret of an HTTP skill',
      'Calls are signed with both secrets until the grace period ends.',
    ),
    params: skillParamsSchema,
    response: signingResponse('skill_not_found'),
  };
  app.post(
    '/skills/:skill_id/rotate',
    { schema, ...needs('developers:write', { fresh: true }) },
    async (request) => {
      const { skill_id: id } = request.params;
      const workspaceId = requestWorkspace.get(request).id;
      const rotated = await httpSkills.rotateSecret(workspaceId, id, toRotation(request));
      logRotation(log, request, { secret: 'skill', id, rotated });
      return presentSigning(id, rotated);
    },
  );
}

function rotateKey(app: TypedApp, { apiKeys, log }: Runtime): void {
  const schema = {
    ...rotation(
      'rotateKey',
      'Rotate an API key',
      'Id, name, limits, counters and expiry do not change. Requests with either value share the limits until the grace period ends.',
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
  app.post(
    '/keys/:key_id/rotate',
    { schema, ...needs('developers:write', { fresh: true }) },
    async (request) => {
      const { key_id: id } = request.params;
      const workspace = requestWorkspace.get(request);
      const isLimited = isLimitedMember(request, workspace);
      const rotated = await apiKeys.rotate(workspace.id, id, { ...toRotation(request), isLimited });
      logRotation(log, request, { secret: 'key', id, rotated });
      return { id, key: rotated.secret, previous_valid_until: rotated.previousValidUntil.toISOString() };
    },
  );
}

function rotateChannelToken(app: TypedApp, { channels, log }: Runtime): void {
  const schema = {
    ...rotation(
      'rotateChannelToken',
      'Rotate the public token of a widget',
      'Both tokens open the widget until the grace period ends. Sessions continue.',
    ),
    params: channelParamsSchema,
    response: {
      200: z.object({ id: z.string(), public_token: z.string(), previous_valid_until: previousValidUntil }),
      ...errorResponses('workspace_not_found', 'channel_not_found', 'no_public_token'),
    },
  };
  app.post('/channels/:chan_id/rotate', { schema, ...needs('channels:write') }, async (request) => {
    const { chan_id: id } = request.params;
    const workspaceId = requestWorkspace.get(request).id;
    const rotated = await channels.rotatePublicToken(workspaceId, id, toRotation(request));
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

function toRotation(request: FastifyRequest & { readonly body: z.output<typeof bodySchema> }) {
  const { identity: actor } = requestActor.get(request);
  return { graceSeconds: request.body?.grace_seconds ?? graceSeconds.usual, actor };
}

interface RotationEntry {
  readonly secret: string;
  /** The id of the resource that has the secret, if it is not the workspace itself. */
  readonly id?: string;
  readonly rotated: Rotated;
}

/** Logs the rotation without the secret. */
function logRotation(
  log: Runtime['log'],
  request: FastifyRequest,
  { secret, id, rotated }: RotationEntry,
): void {
  const { previousValidUntil: until } = rotated;
  const workspace = requestWorkspace.get(request).id;
  log.info(
    { workspace, rotated: secret, of: id, previousValidUntil: until, request: request.id },
    'secret rotated',
  );
}
