import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import {
  type Change,
  changeSchema,
  isSkillChange,
  type SkillChange,
} from '../../../core/changes/change-item.ts';
import { type ChangeSet, type ChangeSetTarget, changeSetStates } from '../../../core/changes/change-set.ts';
import { ChangeSets } from '../../../core/changes/change-sets.ts';
import { viewItems } from '../../../core/changes/item-views.ts';
import { PublishedSets } from '../../../core/changes/published-sets.ts';
import { readTrial } from '../../../core/changes/trial-results.ts';
import { createDocumentWaker } from '../../../core/knowledge/indexing/ingest-jobs.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { assertKnownAudience } from '../../../core/workspaces/workspaces.ts';
import { callerPermissions, needs, requestActor, requirePermission } from '../../plugins/operator-access.ts';
import { callbackUrlSchema, nameSchema } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { requireUsableModel } from '../models/usable-model.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import {
  listedSetSchema,
  openedSetSchema,
  presentItem,
  presentSet,
  presentTrial,
  setParamsSchema,
} from './schema.ts';

type Request = Parameters<typeof requestWorkspace.get>[0];

/** Registers the routes for change sets. */
export function changeSetRoutes(app: TypedApp, runtime: Runtime): void {
  const { queue, log } = runtime;
  const dependencies = {
    ...runtime,
    database: runtime.database.kysely,
    wake: createDocumentWaker({ queue, log }),
  };
  const sets = new ChangeSets(dependencies);
  const published = new PublishedSets(dependencies);
  const open: Services['open'] = async (request, set) => {
    const workspace = requestWorkspace.get(request);
    const seesSkills = callerPermissions(requestActor.get(request), workspace).includes('developers:read');
    return presentOpened(runtime, sets, { set, seesSkills });
  };
  listSets(app, sets);
  createSet(app, { runtime, sets, open });
  getSet(app, { sets, open });
  renameSet(app, { sets, open });
  discardSet(app, sets);
  putItem(app, { runtime, sets, open });
  removeItem(app, { sets, open });
  takeOver(app, { sets, open });
  publishSet(app, { published, open });
  undoSet(app, { published, open });
}

type Opened = z.output<typeof openedSetSchema>;

interface Services {
  readonly runtime: Runtime;
  readonly sets: ChangeSets;
  readonly published: PublishedSets;
  /** Presents a set to the caller of a request. */
  readonly open: (request: Request, set: ChangeSet) => Promise<Opened>;
}

async function presentOpened(
  { database }: Runtime,
  sets: ChangeSets,
  { set, seesSkills }: { readonly set: ChangeSet; readonly seesSkills: boolean },
): Promise<Opened> {
  const items = await sets.items(set);
  const views = await viewItems(database.kysely, set, items);
  const trial = await readTrial(database.kysely, set);
  return {
    ...presentSet(set),
    items: items.flatMap((item, index) => {
      const view = views[index];
      return view === undefined ? [] : [presentItem(item, view, seesSkills)];
    }),
    trial: trial === null ? null : presentTrial(trial),
  };
}

export function targetOf(
  request: Request & { readonly params: { readonly change_set_id: string } },
): ChangeSetTarget {
  return {
    workspaceId: requestWorkspace.get(request).id,
    id: request.params.change_set_id,
    actor: requestActor.get(request).identity,
  };
}

function listSets(app: TypedApp, sets: ChangeSets): void {
  const schema = {
    ...operatorRoute,
    summary: 'List the change sets, newest first',
    operationId: 'listChangeSets',
    description: 'Returns the change sets of the workspace in pages.',
    params: workspaceParamsSchema,
    querystring: pageQuerySchema.extend({ state: z.enum(changeSetStates).optional() }),
    response: {
      200: z.object({ change_sets: z.array(listedSetSchema), pagination: paginationSchema }),
      ...errorResponses('workspace_not_found'),
    },
  };
  app.get('/change-sets', { schema, ...needs('knowledge:read') }, async (request) => {
    const page = await sets.list(requestWorkspace.get(request).id, request.query);
    return {
      change_sets: page.items.map((set) => ({ ...presentSet(set), changes: set.itemCount })),
      pagination: presentPagination(page),
    };
  });
}

/** Half a million characters, each of which may need several bytes as JSON. */
const bodyLimit = 4_000_000;

const stagingErrors = [
  'workspace_not_found',
  'document_not_found',
  'document_exists',
  'curated_document',
  'curated_answer_not_found',
  'curated_answer_exists',
  'curated_answer_without_text',
  'skill_not_found',
  'skill_name_taken',
  'too_many_skills',
  'too_many_curated_answers',
  'invalid_name',
  'invalid_url',
  'invalid_parameters',
  'invalid_audience',
  'invalid_settings',
] as const;

/** Refuses what could not be saved directly either. */
async function requireStageable(runtime: Runtime, request: Request, change: Change): Promise<void> {
  const workspace = requestWorkspace.get(request);
  if ('audience' in change) assertKnownAudience(workspace, change.audience);
  if (change.kind === 'settings') await requireUsableModel(runtime, workspace.owner, change.settings.model);
  if (!isSkillChange(change)) return;
  requirePermission(requestActor.get(request), workspace, 'developers:write');
  requireCallable(change);
  if (change.kind === 'skill_changed' && Object.keys(change.fields).length === 0)
    throw new AppError('missing_field', {
      detail: 'Nothing to change. fields must name at least one field.',
    });
}

/** Throws `invalid_url` for an address that the routes of skills do not take either. */
function requireCallable(change: SkillChange): void {
  const url =
    change.kind === 'skill_new'
      ? change.url
      : change.kind === 'skill_changed'
        ? change.fields.url
        : undefined;
  if (url !== undefined && !callbackUrlSchema.safeParse(url).success)
    throw new AppError('invalid_url', {
      detail: 'url must be an http(s) URL without a user name or password.',
    });
}

function createSet(
  app: TypedApp,
  { runtime, sets, open }: Pick<Services, 'runtime' | 'sets' | 'open'>,
): void {
  const schema = {
    ...operatorRoute,
    summary: 'Create a change set',
    operationId: 'createChangeSet',
    description:
      'Creates a set of changes that visitors do not meet until it is published, empty or with a first change.',
    params: workspaceParamsSchema,
    body: z.object({ name: nameSchema, change: changeSchema.optional() }),
    response: { 201: openedSetSchema, ...errorResponses(...stagingErrors) },
  };
  app.post('/change-sets', { schema, bodyLimit, ...needs('changes:write') }, async (request, reply) => {
    const { name, change } = request.body;
    const workspace = requestWorkspace.get(request);
    const actor = requestActor.get(request).identity;
    if (change !== undefined) await requireStageable(runtime, request, change);
    const set = await sets.create(workspace.id, { name, actor, change });
    return reply.code(201).send(await open(request, set));
  });
}

function getSet(app: TypedApp, { sets, open }: Pick<Services, 'sets' | 'open'>): void {
  const schema = {
    ...operatorRoute,
    summary: 'Read a change set',
    operationId: 'getChangeSet',
    description:
      'Returns the set with each change as a difference, and with its newest trial: first the answers that differ.',
    params: setParamsSchema,
    response: { 200: openedSetSchema, ...errorResponses('workspace_not_found', 'change_set_not_found') },
  };
  app.get('/change-sets/:change_set_id', { schema, ...needs('knowledge:read') }, async (request) => {
    const { workspaceId, id } = targetOf(request);
    return open(request, await sets.get(workspaceId, id));
  });
}

const changeErrors = ['workspace_not_found', 'change_set_not_found', 'change_set_closed'] as const;

function renameSet(app: TypedApp, { sets, open }: Pick<Services, 'sets' | 'open'>): void {
  const schema = {
    ...operatorRoute,
    summary: 'Rename a change set',
    operationId: 'renameChangeSet',
    description: 'Changes the name of a set that is not published.',
    params: setParamsSchema,
    body: z.object({ name: nameSchema }),
    response: { 200: openedSetSchema, ...errorResponses(...changeErrors) },
  };
  app.patch('/change-sets/:change_set_id', { schema, ...needs('changes:write') }, async (request) =>
    open(request, await sets.rename(targetOf(request), request.body.name)),
  );
}

function discardSet(app: TypedApp, sets: ChangeSets): void {
  const schema = {
    ...operatorRoute,
    summary: 'Discard a change set',
    operationId: 'discardChangeSet',
    description: 'Removes a set that is not published, with everything staged in it.',
    params: setParamsSchema,
    response: { 204: noContentSchema, ...errorResponses(...changeErrors) },
  };
  app.delete('/change-sets/:change_set_id', { schema, ...needs('changes:write') }, async (request, reply) => {
    await sets.discard(targetOf(request));
    return reply.code(204).send();
  });
}

function putItem(app: TypedApp, { runtime, sets, open }: Pick<Services, 'runtime' | 'sets' | 'open'>): void {
  const schema = {
    ...operatorRoute,
    summary: 'Put a change into a change set',
    operationId: 'stageChange',
    description:
      'Stages a change. One of the same thing replaces the earlier one; settings and fields of a skill add up. A text is indexed where only trials of the set find it. Skills need `developers:write`, and none runs in a trial.',
    params: setParamsSchema,
    body: z.object({ change: changeSchema }),
    response: {
      200: openedSetSchema,
      ...errorResponses(...changeErrors, ...stagingErrors, 'change_set_full'),
    },
  };
  app.post(
    '/change-sets/:change_set_id/changes',
    { schema, bodyLimit, ...needs('changes:write') },
    async (request) => {
      await requireStageable(runtime, request, request.body.change);
      return open(request, await sets.put(targetOf(request), request.body.change));
    },
  );
}

function removeItem(app: TypedApp, { sets, open }: Pick<Services, 'sets' | 'open'>): void {
  const schema = {
    ...operatorRoute,
    summary: 'Take a change out of a change set',
    operationId: 'unstageChange',
    description: 'Removes one change, with its staged document.',
    params: setParamsSchema.extend({
      item_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('change_item_not_found')),
    }),
    response: { 200: openedSetSchema, ...errorResponses(...changeErrors, 'change_item_not_found') },
  };
  app.delete(
    '/change-sets/:change_set_id/changes/:item_id',
    { schema, ...needs('changes:write') },
    async (request) => open(request, await sets.remove(targetOf(request), request.params.item_id)),
  );
}

function takeOver(app: TypedApp, { sets, open }: Pick<Services, 'sets' | 'open'>): void {
  const schema = {
    ...operatorRoute,
    summary: 'Take over changed documents and settings again',
    operationId: 'takeOverChanges',
    description:
      'Stages the changes anew whose documents or settings were changed meanwhile: publishing then replaces what is there now. A change whose document is gone has to be removed.',
    params: setParamsSchema,
    response: { 200: openedSetSchema, ...errorResponses(...changeErrors) },
  };
  app.post('/change-sets/:change_set_id/take-over', { schema, ...needs('changes:write') }, async (request) =>
    open(request, await sets.takeOver(targetOf(request))),
  );
}

function publishSet(app: TypedApp, { published, open }: Pick<Services, 'published' | 'open'>): void {
  const schema = {
    ...operatorRoute,
    summary: 'Publish a change set',
    operationId: 'publishChangeSet',
    description:
      'Makes all changes of the set at once, or none. Settings and skills count for the next question, documents and curated answers seconds later, when they are indexed. If the workspace sets `publish_needs_green`, the newest trial must be green.',
    params: setParamsSchema,
    response: {
      200: openedSetSchema,
      ...errorResponses(
        ...changeErrors,
        'change_set_empty',
        'change_set_not_ready',
        'change_set_not_green',
        'change_set_conflict',
      ),
    },
  };
  app.post('/change-sets/:change_set_id/publish', { schema, ...needs('changes:publish') }, async (request) =>
    open(request, await published.publish(targetOf(request))),
  );
}

function undoSet(app: TypedApp, { published, open }: Pick<Services, 'published' | 'open'>): void {
  const schema = {
    ...operatorRoute,
    summary: 'Take back a published change set',
    operationId: 'undoChangeSet',
    description:
      'Puts back everything that the set changed, or nothing if some of it was changed since: the response names it.',
    params: setParamsSchema,
    response: {
      200: openedSetSchema,
      ...errorResponses(...changeErrors, 'change_set_conflict', 'change_set_too_old', 'document_exists'),
    },
  };
  app.post('/change-sets/:change_set_id/undo', { schema, ...needs('changes:publish') }, async (request) =>
    open(request, await published.undo(targetOf(request))),
  );
}
