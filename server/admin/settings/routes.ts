import { z } from 'zod';
import {
  countProbabilities,
  probabilityBins,
  toBins,
} from '../../../core/conversations/messages/probabilities.ts';
import { findUsage } from '../../../core/limits/usage.ts';
import type { WorkspaceServices } from '../../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { planSchema } from '../../../core/workspaces/workspace-settings.ts';
import { needs } from '../../plugins/operator-access.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { describeSettings } from './setting-descriptions.ts';

/** Registers the routes that describe a workspace's settings, the state of its identity secret and its usage. */
export function settingsRoutes(app: TypedApp, runtime: Runtime): void {
  getSettingsSchema(app);
  getIdentitySecret(app, runtime);
  getUsage(app, runtime);
  getAnswerProbabilities(app, runtime);
}

const settingsSchema = {
  ...operatorRoute,
  summary: 'Read the JSON schema of the settings',
  operationId: 'getSettingsSchema',
  description:
    'Returns the schema that validates `settings`, for forms. Each property has a title, a description, its default where there is one, `x-effect` (what changes, and when) and `x-group`.',
  params: workspaceParamsSchema,
  response: {
    200: z.object({
      type: z.literal('object'),
      properties: z.record(z.string(), z.record(z.string(), z.unknown())),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function getSettingsSchema(app: TypedApp): void {
  app.get('/settings-schema', { schema: settingsSchema, ...needs('workspace:read') }, async (request) =>
    describeSettings(requestWorkspace.get(request)),
  );
}

const identitySecretSchema = {
  ...operatorRoute,
  summary: 'Read the state of the identity secret',
  operationId: 'getIdentitySecret',
  description: 'Returns whether a rotation is under way. The secret itself is never returned.',
  params: workspaceParamsSchema,
  response: {
    200: z.object({
      previous_valid_until: z.iso.datetime().nullable().meta({
        description: 'When the old secret expires after a rotation. Null if only one secret is valid.',
      }),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function getIdentitySecret(app: TypedApp, { workspaces }: WorkspaceServices): void {
  app.get(
    '/identity_secret',
    { schema: identitySecretSchema, ...needs('workspace:write') },
    async (request) => {
      const until = await workspaces.identityGrace(requestWorkspace.get(request).id);
      return { previous_valid_until: until?.toISOString() ?? null };
    },
  );
}

const usageSchema = {
  ...operatorRoute,
  summary: 'Read the usage of the month',
  operationId: 'getUsage',
  description:
    "Returns the messages of the calendar month (UTC) that count against the owner's quota, and the answers of this workspace by channel and by day. Answers of deleted conversations are missing from the latter.",
  params: workspaceParamsSchema,
  response: {
    200: z.object({
      plan: planSchema,
      month: z.iso.date().meta({ description: 'The first day of the month.' }),
      resets_at: z.iso.datetime(),
      messages: z.int().meta({ description: 'Of all workspaces of the owner.' }),
      quota: z.int().nullable().meta({ description: 'Null: unlimited.' }),
      forecast: z.int().nullable().meta({
        description: 'Messages at the end of the month at the pace so far. Null on its first day.',
      }),
      by_channel: z.array(z.object({ channel: z.string(), answers: z.int() })),
      by_day: z.array(z.object({ day: z.iso.date(), answers: z.int() })),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function getUsage(app: TypedApp, { database, clock }: Runtime): void {
  app.get(
    '/usage',
    { schema: usageSchema, ...needs('usage:read', { scope: 'usage:read' }) },
    async (request) => {
      const workspace = requestWorkspace.get(request);
      const usage = await findUsage({ database: database.kysely, clock }, workspace);
      return {
        plan: workspace.plan,
        month: usage.month,
        resets_at: usage.resetsAt.toISOString(),
        messages: usage.messages,
        quota: usage.quota,
        forecast: usage.forecast,
        by_channel: [...usage.byChannel],
        by_day: [...usage.byDay],
      };
    },
  );
}

const probabilitiesSchema = {
  ...operatorRoute,
  summary: 'Read how sure the answers were',
  operationId: 'getAnswerProbabilities',
  description:
    'Returns the answers of the last 30 days by their probability, to choose `answer_from` and `maybe_from`. A correction in use is applied to all of them. Answers that a language model wrote, courtesies and answers of deleted conversations are not counted.',
  params: workspaceParamsSchema,
  response: {
    200: z.object({
      since: z.iso.datetime(),
      answers: z.int(),
      bins: z.array(z.int()).length(probabilityBins).meta({
        description: 'The number of answers in each twentieth between 0 and 1, lowest first.',
      }),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function getAnswerProbabilities(app: TypedApp, { database, clock }: Runtime): void {
  app.get(
    '/answer_probabilities',
    { schema: probabilitiesSchema, ...needs('workspace:read') },
    async (request) => {
      const { id, correction } = requestWorkspace.get(request);
      const { since, ...counted } = await countProbabilities({ database: database.kysely, clock }, id);
      const bins = toBins(counted, correction);
      const answers = bins.reduce((sum, count) => sum + count, 0);
      return { since: since.toISOString(), answers, bins: [...bins] };
    },
  );
}
