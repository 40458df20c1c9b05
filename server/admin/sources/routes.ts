import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import type { KnowledgeServices } from '../../../core/runtime/open-knowledge.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { previewSource } from '../../../core/sources/preview/preview.ts';
import { itemStates } from '../../../core/sources/source-record.ts';
import { describeValues, parseValues } from '../../../core/sources/source-values.ts';
import { listItems, listRuns } from '../../../core/sources/source-view.ts';
import type { SourceTarget } from '../../../core/sources/sources.ts';
import { assertKnownAudience } from '../../../core/workspaces/workspaces.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { boundedString } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { ledgerRoutes } from './ledger-routes.ts';
import { presentPreview, previewSchema } from './preview-schema.ts';
import {
  newSourceSchema,
  presentItem,
  presentRun,
  presentSource,
  previewBodySchema,
  runQuerySchema,
  sourceChangeSchema,
  sourceItemSchema,
  sourceKindSchema,
  sourceParamsSchema,
  sourceRunSchema,
  sourceSchema,
} from './schema.ts';

const read = needs('knowledge:read', { scope: 'documents:read' });

/** Registers the list of the kinds of sources. */
export function sourceKindRoutes(app: TypedApp, { sources }: KnowledgeServices): void {
  const schema = {
    ...operatorRoute,
    summary: 'List the kinds of sources',
    operationId: 'listSourceKinds',
    description: 'Returns each kind with the JSON schemas of its settings and credentials.',
    response: { 200: z.object({ kinds: z.array(sourceKindSchema) }) },
  };
  app.get('/source-kinds', { schema, ...needs('self') }, async () => ({
    kinds: sources.kinds.map(({ kind, settings, credentials, unavailable }) => ({
      kind,
      settings: describeValues(settings),
      credentials: describeValues(credentials),
      unavailable: unavailable ?? null,
    })),
  }));
}

/** Registers the routes for the sources of a workspace. */
export function sourceRoutes(app: TypedApp, runtime: Runtime): void {
  createSource(app, runtime);
  listSources(app, runtime);
  preview(app, runtime);
  getSource(app, runtime);
  changeSource(app, runtime);
  deleteSource(app, runtime);
  runActions(app, runtime);
  listSourceRuns(app, runtime);
  listSourceItems(app, runtime);
  ledgerRoutes(app, runtime);
}

const createSchema = {
  ...operatorRoute,
  summary: 'Add a source',
  operationId: 'createSource',
  description:
    'Adds a website, folder or tool whose pages become documents. Runs read it in the background and keep the documents in step. Nothing is checked at the source now: the run reports what went wrong, and a preview tells it beforehand.',
  params: workspaceParamsSchema,
  body: newSourceSchema,
  response: {
    201: sourceSchema,
    ...errorResponses(
      'workspace_not_found',
      'unknown_source_kind',
      'source_kind_unavailable',
      'too_many_sources',
      'invalid_settings',
      'invalid_credentials',
      'invalid_audience',
    ),
  },
};

function createSource(app: TypedApp, { sources }: KnowledgeServices): void {
  app.post('/sources', { schema: createSchema, ...needs('knowledge:write') }, async (request, reply) => {
    const workspace = requestWorkspace.get(request);
    const { max_items: maxItems, schedule_minutes: scheduleMinutes, ...body } = request.body;
    assertKnownAudience(workspace, body.audience);
    const input = { ...body, maxItems, scheduleMinutes };
    const source = await sources.create(workspace.id, input, requestActor.get(request).identity);
    return reply.code(201).send(presentSource(source));
  });
}

const listSchema = {
  ...operatorRoute,
  summary: 'List the sources of a workspace, newest first',
  operationId: 'listSources',
  description: 'Returns the sources, each with its newest run and the number of its documents.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ sources: z.array(sourceSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

function listSources(app: TypedApp, { sources }: KnowledgeServices): void {
  app.get('/sources', { schema: listSchema, ...read }, async (request) => {
    const page = await sources.list(requestWorkspace.get(request).id, request.query);
    return { sources: page.items.map(presentSource), pagination: presentPagination(page) };
  });
}

const previewRouteSchema = {
  ...operatorRoute,
  summary: 'Try out a source',
  operationId: 'previewSource',
  description:
    'Reads the list of the source and at most 50 items, for at most 15 seconds: one of each group of paths, then others. Returns what would become a document. Nothing is stored.',
  params: workspaceParamsSchema,
  body: previewBodySchema,
  response: {
    200: previewSchema,
    ...errorResponses(
      'workspace_not_found',
      'source_not_found',
      'unknown_source_kind',
      'source_kind_unavailable',
      'invalid_settings',
      'invalid_credentials',
    ),
  },
};

function preview(app: TypedApp, { sources }: KnowledgeServices): void {
  app.post(
    '/sources/preview',
    { schema: previewRouteSchema, ...needs('knowledge:write') },
    async (request) => {
      const { id: workspaceId } = requestWorkspace.get(request);
      const { source_id: id, settings, credentials, ...body } = request.body;
      const stored = id === undefined ? null : await sources.open(workspaceId, id);
      const name = stored?.kind ?? body.kind;
      if (name === undefined) throw new AppError('missing_field', { detail: 'kind is required.' });
      const kind = sources.requireAvailableKind(name);
      // Stored credentials are not sent to an address that the request names.
      const own = settings === undefined ? stored : null;
      return presentPreview(
        await previewSource(sources.tools, {
          ...{ workspaceId, kind },
          settings: parseValues('settings', kind, settings ?? own?.settings ?? {}),
          credentials: parseValues('credentials', kind, credentials ?? own?.credentials ?? {}),
          include: body.include ?? stored?.include ?? [],
          exclude: body.exclude ?? stored?.exclude ?? [],
        }),
      );
    },
  );
}

const getSchema = {
  ...operatorRoute,
  summary: 'Read a source',
  operationId: 'getSource',
  description: 'Returns the source with its newest run. Credentials are never returned.',
  params: sourceParamsSchema,
  response: { 200: sourceSchema, ...errorResponses('workspace_not_found', 'source_not_found') },
};

function getSource(app: TypedApp, { sources }: KnowledgeServices): void {
  app.get('/sources/:source_id', { schema: getSchema, ...read }, async (request) =>
    presentSource(await sources.get(requestWorkspace.get(request).id, request.params.source_id)),
  );
}

const changeSchema = {
  ...operatorRoute,
  summary: 'Change a source',
  operationId: 'changeSource',
  description:
    'Changes the named fields; `settings` and `credentials` are replaced as a whole. If that changes what is read, a run that is going ends, and another one starts unless the source is paused. Settings with a new address need the credentials again in the same request.',
  params: sourceParamsSchema,
  body: sourceChangeSchema,
  response: {
    200: sourceSchema,
    ...errorResponses(
      'workspace_not_found',
      'source_not_found',
      'invalid_settings',
      'invalid_credentials',
      'credentials_required',
      'invalid_audience',
    ),
  },
};

function changeSource(app: TypedApp, { sources }: KnowledgeServices): void {
  app.patch('/sources/:source_id', { schema: changeSchema, ...needs('knowledge:write') }, async (request) => {
    const { max_items: maxItems, schedule_minutes: scheduleMinutes, ...body } = request.body;
    if (body.audience !== undefined) assertKnownAudience(requestWorkspace.get(request), body.audience);
    return presentSource(
      await sources.change(targetOf(request), {
        ...body,
        ...(maxItems !== undefined && { maxItems }),
        ...(scheduleMinutes !== undefined && { scheduleMinutes }),
      }),
    );
  });
}

const deleteSchema = {
  ...operatorRoute,
  summary: 'Delete a source',
  operationId: 'deleteSource',
  description:
    'Deletes the source with its runs and credentials. Its documents stay as they are, or are deleted with `documents=delete`.',
  params: sourceParamsSchema,
  querystring: z.object({ documents: z.enum(['keep', 'delete']).default('keep') }),
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'source_not_found') },
};

function deleteSource(app: TypedApp, { sources }: KnowledgeServices): void {
  app.delete(
    '/sources/:source_id',
    { schema: deleteSchema, ...needs('knowledge:write') },
    async (request, reply) => {
      await sources.delete(targetOf(request), request.query);
      return reply.code(204).send();
    },
  );
}

function runActions(app: TypedApp, { sources }: KnowledgeServices): void {
  const common = { ...operatorRoute, params: sourceParamsSchema };
  const write = needs('knowledge:write');
  const run = needs('knowledge:write', { scope: 'documents:write' });
  const runSchema = {
    ...common,
    summary: 'Read a source now',
    operationId: 'runSource',
    description:
      'Starts a run in the background. With `full=true` it reads every item again, also those that say that they have not changed.',
    querystring: runQuerySchema,
    response: {
      202: sourceSchema,
      ...errorResponses('workspace_not_found', 'source_not_found', 'source_paused', 'source_running'),
    },
  };
  app.post('/sources/:source_id/run', { schema: runSchema, ...run }, async (request, reply) =>
    reply
      .code(202)
      .send(presentSource(await sources.run(targetOf(request), { isFull: request.query.full === true }))),
  );
  const cancelSchema = {
    ...common,
    summary: 'Cancel the run of a source',
    operationId: 'cancelSourceRun',
    description: 'Ends the run that is going; documents that it has added stay.',
    response: {
      200: sourceSchema,
      ...errorResponses('workspace_not_found', 'source_not_found', 'source_not_running'),
    },
  };
  app.post('/sources/:source_id/cancel', { schema: cancelSchema, ...run }, async (request) =>
    presentSource(await sources.cancel(targetOf(request))),
  );
  const applySchema = {
    ...common,
    summary: 'Apply what a run holds',
    operationId: 'applySourceChanges',
    description:
      'Removes and replaces the documents that an implausible run would have removed and replaced. Nothing is read for it; a worker does it in the background.',
    response: {
      202: sourceSchema,
      ...errorResponses('workspace_not_found', 'source_not_found', 'source_not_held', 'source_running'),
    },
  };
  app.post('/sources/:source_id/apply', { schema: applySchema, ...write }, async (request, reply) =>
    reply.code(202).send(presentSource(await sources.apply(targetOf(request)))),
  );
  const discardSchema = {
    ...common,
    summary: 'Discard what a run holds',
    operationId: 'discardSourceChanges',
    description: 'Throws away the changes of an implausible run. Documents stay; the next run reads again.',
    response: {
      200: sourceSchema,
      ...errorResponses('workspace_not_found', 'source_not_found', 'source_not_held'),
    },
  };
  app.post('/sources/:source_id/discard', { schema: discardSchema, ...write }, async (request) =>
    presentSource(await sources.discard(targetOf(request))),
  );
  const response = { 200: sourceSchema, ...errorResponses('workspace_not_found', 'source_not_found') };
  const pauseSchema = {
    ...{ ...common, response },
    summary: 'Pause a source',
    operationId: 'pauseSource',
    description: 'Ends a run that is going, and starts none until the source is resumed.',
  };
  app.post('/sources/:source_id/pause', { schema: pauseSchema, ...write }, async (request) =>
    presentSource(await sources.pause(targetOf(request))),
  );
  const resumeSchema = {
    ...{ ...common, response },
    summary: 'Resume a paused source',
    operationId: 'resumeSource',
    description: 'The source follows its schedule again. A run that was missed starts within a minute.',
  };
  app.post('/sources/:source_id/resume', { schema: resumeSchema, ...write }, async (request) =>
    presentSource(await sources.resume(targetOf(request))),
  );
}

const listRunsSchema = {
  ...operatorRoute,
  summary: 'List the runs of a source, latest first',
  operationId: 'listSourceRuns',
  description: 'Returns the runs with what each has found.',
  params: sourceParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ runs: z.array(sourceRunSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found', 'source_not_found'),
  },
};

function listSourceRuns(app: TypedApp, { sources, database: { kysely: database }, clock }: Runtime): void {
  app.get('/sources/:source_id/runs', { schema: listRunsSchema, ...read }, async (request) => {
    const { workspaceId, id: sourceId } = targetOf(request);
    await sources.require(workspaceId, sourceId);
    const page = await listRuns({ database, clock }, { workspaceId, sourceId }, request.query);
    return { runs: page.items.map(presentRun), pagination: presentPagination(page) };
  });
}

const listItemsSchema = {
  ...operatorRoute,
  summary: 'List the items of a source',
  operationId: 'listSourceItems',
  description: 'Returns the pages, files or articles of the source, each with what the last reading found.',
  params: sourceParamsSchema,
  querystring: pageQuerySchema.extend({
    state: z.enum(itemStates).optional(),
    code: z.string().max(100).optional().meta({ description: 'Only items with this code.' }),
    run_id: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'Only items that this run was the last to find.' }),
    q: boundedString({ min: 1, max: 1_000 }).optional().meta({
      description: 'Only items with this text in their key, address or title.',
    }),
  }),
  response: {
    200: z.object({ items: z.array(sourceItemSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found', 'source_not_found'),
  },
};

function listSourceItems(app: TypedApp, { sources, database: { kysely: database }, clock }: Runtime): void {
  app.get('/sources/:source_id/items', { schema: listItemsSchema, ...read }, async (request) => {
    const { workspaceId, id: sourceId } = targetOf(request);
    await sources.require(workspaceId, sourceId);
    const { run_id: runId, ...query } = request.query;
    const page = await listItems({ database, clock }, { workspaceId, sourceId }, { ...query, runId });
    return { items: page.items.map(presentItem), pagination: presentPagination(page) };
  });
}

function targetOf(
  request: FastifyRequest & { readonly params: z.output<typeof sourceParamsSchema> },
): SourceTarget {
  return {
    workspaceId: requestWorkspace.get(request).id,
    id: request.params.source_id,
    actor: requestActor.get(request).identity,
  };
}
