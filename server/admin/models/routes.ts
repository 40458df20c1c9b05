import { z } from 'zod';
import { measureModels } from '../../../core/answers/model-speed.ts';
import type { ModelKey } from '../../../core/members/model-keys.ts';
import { type KeyTrial, trialOutcomes, tryKey } from '../../../core/models/key-trial.ts';
import {
  type ChainedModel,
  describeChain,
  KEY_PROVIDERS,
  listKeyProviders,
} from '../../../core/models/model-choices.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { boundedString } from '../../schemas/fields.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, ownerAuthority, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

const trialSchema = z
  .object({
    model: z.string().meta({ description: 'As the provider names it.' }),
    outcome: z.enum(trialOutcomes),
    ms: z.int(),
    tokens: z.int().meta({ description: '0 if the provider does not report them.' }),
    reason: z.string().nullable().meta({ description: 'In the words of the provider, without the key.' }),
  })
  .meta({ id: 'KeyTrial' });

const triedSchema = z
  .object({ stored: z.boolean().meta({ description: 'Whether the key is in use now.' }), trial: trialSchema })
  .meta({ id: 'TriedKey' });

const chainSchema = z.array(
  z.object({
    model: z.string().meta({ description: '`provider:model`.' }),
    key: z.enum(['own', 'installation', 'none']).meta({ description: 'With `none` the model is left out.' }),
    median_ms: z.int().nullable().meta({
      description: 'How long it wrote at the median of the latest answers here. Null: it wrote none of them.',
    }),
    answers: z.int().meta({ description: 'The number of these answers.' }),
  }),
);

const modelsSchema = z
  .object({
    chosen: chainSchema.meta({ description: 'The choice of the workspace, in the order of trying.' }),
    installation: chainSchema.meta({ description: 'The models of the installation, which follow.' }),
    providers: z.array(
      z.object({
        provider: z.string(),
        title: z.string(),
        models: z.array(z.string()).meta({ description: 'Models to begin with. Others can be named too.' }),
        installation_key: z.boolean(),
        own_key: z
          .object({
            last_four: z.string(),
            set_at: z.iso.datetime(),
            set_by: z.string(),
            tried_at: z.iso.datetime(),
            trial: trialSchema,
          })
          .nullable(),
      }),
    ),
  })
  .meta({ id: 'ModelSettings' });

const providerParamsSchema = workspaceParamsSchema.extend({
  provider: z
    .string()
    .refine((name) => Object.hasOwn(KEY_PROVIDERS, name), withErrorCode('model_key_not_found')),
});

const modelSchema = z
  .string()
  .trim()
  .min(1)
  .max(150)
  .regex(/^[^\s,]+$/)
  .meta({ description: 'The model to try it with, as the provider names it.' });

/** Registers the routes for the language models of a workspace, and for the keys of providers that its owner brought. */
export function modelRoutes(app: TypedApp, runtime: Runtime): void {
  getModels(app, runtime);
  putKey(app, runtime);
  postTrial(app, runtime);
  deleteKey(app, runtime);
}

const getSchema = {
  ...operatorRoute,
  summary: 'Show the language models',
  operationId: 'getModels',
  description:
    'Returns the language models with which the workspace answers, and the providers with the keys that there are. A key itself is never returned.',
  params: workspaceParamsSchema,
  response: { 200: modelsSchema, ...errorResponses('workspace_not_found') },
};

function getModels(app: TypedApp, { config, database, modelKeys }: Runtime): void {
  app.get('/models', { schema: getSchema, ...needs('workspace:write') }, async (request) => {
    const { id, owner, settings } = requestWorkspace.get(request);
    const own = await modelKeys.list(owner);
    const speeds = await measureModels(database.kysely, id);
    const present = ({ model, key }: ChainedModel) => {
      const { medianMs = null, answers = 0 } = { ...speeds.get(model) };
      return { model, key, median_ms: medianMs, answers };
    };
    const { chosen, installation } = describeChain(config, settings.model, await modelKeys.of(owner));
    return {
      chosen: chosen.map(present),
      installation: installation.map(present),
      providers: listKeyProviders(config).map(({ provider, title, models, hasInstallationKey }) => ({
        ...{ provider, title, models: [...models], installation_key: hasInstallationKey },
        own_key: presentKey(own.find((key) => key.provider === provider)),
      })),
    };
  });
}

const putSchema = {
  ...operatorRoute,
  summary: 'Store a key of a provider',
  operationId: 'saveModelKey',
  description:
    "Tries the key with one tiny request, and stores it if a model answered. It is used in all workspaces of the owner from then on, at other processes within ten seconds, in place of the installation's.",
  params: providerParamsSchema,
  body: z.object({
    api_key: boundedString(
      { min: 12, max: 500 },
      z
        .string()
        .trim()
        .regex(/^[\x21-\x7e]+$/),
    ).meta({
      description: 'Stored encrypted and never returned.',
    }),
    model: modelSchema,
    store_anyway: z.boolean().default(false).meta({ description: 'Also if no model answered.' }),
  }),
  response: {
    200: triedSchema,
    ...errorResponses('workspace_not_found', 'model_key_not_found', 'rate_limit_minute'),
  },
};

function putKey(app: TypedApp, { config, clock, modelKeys, publicRate }: Runtime): void {
  // The account of the key may show what visitors write.
  const options = { schema: putSchema, ...needs('people:write', { fresh: true }) };
  app.put('/model-keys/:provider', options, async (request) => {
    const authority = ownerAuthority(request, 'people:write');
    const { provider } = request.params;
    const { api_key: apiKey, model, store_anyway: isForced } = request.body;
    await publicRate.take(`model keys of ${authority.scope.ownerId}`, request.ip);
    const trial = await tryKey({ config, clock, apiKey, choice: { provider, model } });
    const stored = trial.outcome === 'answered' || isForced;
    if (stored) await modelKeys.save(authority, { provider, apiKey, trial });
    return { stored, trial: presentTrial(trial) };
  });
}

const trySchema = {
  ...operatorRoute,
  summary: 'Try a stored key of a provider',
  operationId: 'tryModelKey',
  description: 'Sends one tiny request with the key that the owner stored.',
  params: providerParamsSchema,
  body: z.object({ model: modelSchema }),
  response: {
    200: triedSchema,
    ...errorResponses('workspace_not_found', 'model_key_not_found', 'rate_limit_minute'),
  },
};

function postTrial(app: TypedApp, { config, clock, modelKeys, publicRate }: Runtime): void {
  const options = { schema: trySchema, ...needs('people:write') };
  app.post('/model-keys/:provider/try', options, async (request) => {
    const { ownerId } = ownerAuthority(request, 'people:write').scope;
    const { provider } = request.params;
    await publicRate.take(`model keys of ${ownerId}`, request.ip);
    const apiKey = await modelKeys.open(ownerId, provider);
    const trial = await tryKey({ config, clock, apiKey, choice: { provider, model: request.body.model } });
    await modelKeys.recordTrial(ownerId, { provider, apiKey, trial });
    return { stored: true, trial: presentTrial(trial) };
  });
}

const deleteSchema = {
  ...operatorRoute,
  summary: 'Remove a key of a provider',
  operationId: 'removeModelKey',
  description: "The installation's key takes its place, if there is one.",
  params: providerParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'model_key_not_found') },
};

function deleteKey(app: TypedApp, { modelKeys }: Runtime): void {
  const options = { schema: deleteSchema, ...needs('people:write') };
  app.delete('/model-keys/:provider', options, async (request, reply) => {
    await modelKeys.remove(ownerAuthority(request, 'people:write'), request.params.provider);
    return reply.code(204).send();
  });
}

function presentTrial({ model, outcome, ms, tokens, reason }: KeyTrial): z.output<typeof trialSchema> {
  return { model, outcome, ms, tokens, reason };
}

function presentKey(key: ModelKey | undefined) {
  if (key === undefined) return null;
  return {
    last_four: key.lastFour,
    set_at: key.setAt.toISOString(),
    set_by: key.setBy,
    tried_at: key.triedAt.toISOString(),
    trial: presentTrial(key.trial),
  };
}
