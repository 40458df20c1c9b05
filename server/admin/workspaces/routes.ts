import { z } from 'zod';
import { requireOrderedTiers } from '../../../core/answering/rules.ts';
import { AppError } from '../../../core/base/errors.ts';
import { requireEmbeddingModel } from '../../../core/models/provider-settings.ts';
import type { WorkspaceServices } from '../../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import {
  planSchema,
  workspaceSettingsChangeSchema,
  workspaceSettingsSchema,
} from '../../../core/workspaces/workspace-settings.ts';
import type { Workspace } from '../../../core/workspaces/workspaces.ts';
import {
  type Actor,
  callerPermissions,
  needs,
  requestActor,
  requireOperator,
  visibleWorkspaces,
} from '../../plugins/operator-access.ts';
import { boundedString, workspaceNameSchema } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { requireUsableModel } from '../models/usable-model.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

/** A workspace as the operator sees it. */
const workspaceSchema = z
  .object({
    id: z.string(),
    owner: z.string(),
    name: z.string(),
    plan: planSchema,
    settings: workspaceSettingsSchema,
    public_token: z
      .string()
      .meta({ description: 'The token for browsers. It gives access to the widget only.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Workspace' });

function presentWorkspace(workspace: Workspace): z.output<typeof workspaceSchema> {
  return {
    id: workspace.id,
    owner: workspace.owner,
    name: workspace.name,
    plan: workspace.plan,
    settings: workspace.settings,
    public_token: workspace.publicToken,
    created_at: workspace.createdAt.toISOString(),
  };
}

/** Registers the routes that create and list workspaces. */
export function workspaceListRoutes(app: TypedApp, runtime: Runtime): void {
  postWorkspace(app, runtime);
  listWorkspaces(app, runtime);
}

/** Registers the routes that read, change and delete the workspace in the path. */
export function workspaceRoutes(app: TypedApp, runtime: Runtime): void {
  getWorkspace(app);
  patchWorkspace(app, runtime);
  deleteWorkspace(app, runtime);
}

const postWorkspaceSchema = {
  ...operatorRoute,
  summary: 'Create a workspace',
  operationId: 'createWorkspace',
  description:
    'Creates a workspace, by default for a new owner and on the plan `starter`. A person with the role owner in all workspaces of an owner may create further ones for it, which have the plan of its newest. The response contains the identity secret, which is not shown again.',
  body: z
    .object({
      name: workspaceNameSchema,
      plan: planSchema.optional().meta({
        description:
          'Only operators set it. Defaults to starter, and for a member of the owner to that of its newest workspace.',
      }),
      owner: boundedString({ min: 1, max: 100 }).optional().meta({ description: 'Defaults to a new owner.' }),
      settings: workspaceSettingsSchema.optional(),
      copy_settings_from: z.string().optional().meta({
        description: 'A workspace whose settings the new one begins with. `settings` replaces single ones.',
      }),
    })
    .meta({ examples: [{ name: 'Acme help', settings: { audiences: ['staff'] } }] }),
  response: {
    201: workspaceSchema.extend({
      identity_secret: z
        .string()
        .meta({ description: 'The secret that signs identities. It is shown only once.' }),
    }),
    ...errorResponses('workspace_not_found', 'feature_not_in_plan'),
  },
};

function postWorkspace(app: TypedApp, runtime: Runtime): void {
  const { config, workspaces, guesses } = runtime;
  app.post('/workspaces', { schema: postWorkspaceSchema, ...needs('self') }, async (request, reply) => {
    const { name, plan, owner, copy_settings_from: copied } = request.body;
    const actor = requestActor.get(request);
    const isOwner = ownsAll(actor, owner);
    if (!isOwner) requireOperator(request, 'the workspaces of this owner');
    if (plan !== undefined) requireOperator(request, 'plan');
    const model = copied === undefined ? null : await workspaces.get(copied);
    if (model !== null && callerPermissions(actor, model).length === 0 && actor.person !== null) {
      throw new AppError('workspace_not_found');
    }
    const settings = { ...model?.settings, ...request.body.settings };
    await requireUsableModel(runtime, owner, settings.model);
    requireEmbeddingModel(config, settings.embedding_model);
    requireOrderedTiers(settings);
    const given = isOwner ? plan : (plan ?? 'starter');
    const created = await workspaces.create({ name, plan: given, owner, settings }, actor.identity);
    const { workspace, identitySecret } = created;
    guesses.recognise('public_token', workspace.publicToken);
    return reply.code(201).send({ ...presentWorkspace(workspace), identity_secret: identitySecret });
  });
}

/** Whether the caller is a person with the role owner in all workspaces of an owner. */
function ownsAll({ memberships }: Actor, owner: string | undefined): boolean {
  return memberships.some(
    ({ ownerId, role, workspaceIds }) => ownerId === owner && role === 'owner' && workspaceIds === null,
  );
}

const listWorkspacesSchema = {
  ...operatorRoute,
  summary: 'List the workspaces, newest first',
  operationId: 'listWorkspaces',
  description:
    'Returns the workspaces that the caller may see in pages: all of the installation with the operator token.',
  querystring: pageQuerySchema,
  response: {
    200: z.object({ workspaces: z.array(workspaceSchema), pagination: paginationSchema }),
  },
};

function listWorkspaces(app: TypedApp, { workspaces }: WorkspaceServices): void {
  app.get('/workspaces', { schema: listWorkspacesSchema, ...needs('self') }, async (request) => {
    const page = await workspaces.list(request.query, visibleWorkspaces(requestActor.get(request)));
    return { workspaces: page.items.map(presentWorkspace), pagination: presentPagination(page) };
  });
}

const getWorkspaceSchema = {
  ...operatorRoute,
  summary: 'Read a workspace',
  operationId: 'getWorkspace',
  description: 'Returns the workspace with its settings. Its identity secret is never returned.',
  params: workspaceParamsSchema,
  response: { 200: workspaceSchema, ...errorResponses('workspace_not_found') },
};

function getWorkspace(app: TypedApp): void {
  app.get('', { schema: getWorkspaceSchema, ...needs('workspace:read') }, async (request) =>
    presentWorkspace(requestWorkspace.get(request)),
  );
}

const patchWorkspaceSchema = {
  ...operatorRoute,
  summary: 'Change a workspace',
  operationId: 'updateWorkspace',
  description:
    'Changes only the fields that are sent. `settings` is merged into the existing settings; a setting of null is cleared.',
  params: workspaceParamsSchema,
  body: z.object({
    name: workspaceNameSchema.optional(),
    plan: planSchema.optional(),
    settings: workspaceSettingsChangeSchema.optional(),
  }),
  response: { 200: workspaceSchema, ...errorResponses('workspace_not_found', 'plan_downgrade_blocked') },
};

function patchWorkspace(app: TypedApp, runtime: Runtime): void {
  const { config, workspaces } = runtime;
  app.patch('', { schema: patchWorkspaceSchema, ...needs('workspace:write') }, async (request) => {
    if (Object.keys(request.body).length === 0) {
      throw new AppError('missing_field', { detail: 'Nothing to change. Send name, plan or settings.' });
    }
    if (request.body.plan !== undefined) requireOperator(request, 'plan');
    const { id, owner, settings } = requestWorkspace.get(request);
    await requireUsableModel(runtime, owner, request.body.settings?.model);
    requireEmbeddingModel(config, request.body.settings?.embedding_model);
    requireOrderedTiers({ ...settings, ...request.body.settings });
    return presentWorkspace(await workspaces.update(id, request.body, requestActor.get(request).identity));
  });
}

const deleteWorkspaceSchema = {
  ...operatorRoute,
  summary: 'Delete a workspace and everything in it',
  operationId: 'deleteWorkspace',
  description:
    'Deletes the workspace with its documents, conversations, channels and keys. Its keys stop working immediately. This cannot be undone.',
  params: workspaceParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found') },
};

function deleteWorkspace(app: TypedApp, { workspaces, channels }: Runtime): void {
  app.delete(
    '',
    { schema: deleteWorkspaceSchema, ...needs('workspace:write', { fresh: true }) },
    async (request, reply) => {
      const { id } = requestWorkspace.get(request);
      await workspaces.delete(id, requestActor.get(request).identity);
      await channels.retireAll(id);
      return reply.code(204).send();
    },
  );
}
