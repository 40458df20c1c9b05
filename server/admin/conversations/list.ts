import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { listAgents, setAvailability } from '../../../core/conversations/hand-over.ts';
import {
  conversationFiltersSchema,
  type InboxView,
  inboxViews,
} from '../../../core/conversations/list/filters.ts';
import { type Counting, countConversations } from '../../../core/conversations/list/list-conversations.ts';
import { inboxSorts, sortOfView } from '../../../core/conversations/list/live-order.ts';
import { checkSearch } from '../../../core/conversations/list/search-query.ts';
import { fewCounted, mostCounted } from '../../../core/inbox/list.ts';
import { countAnswersToday } from '../../../core/inbox/read.ts';
import { type SavedView, SavedViews } from '../../../core/inbox/saved-views.ts';
import { searchInbox } from '../../../core/inbox/search.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { boundedString, queryFlagSchema, timeSchema } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, workspaceParamsSchema } from '../operator-route.ts';
import { inboxRowSchema, presentRow, toInboxActor, toPerson, toReader } from './schema.ts';

/** Registers the routes for lists of conversations, their counts, saved views, and the people who answer. */
export function inboxListRoutes(app: TypedApp, runtime: Runtime): void {
  const views = new SavedViews({ database: runtime.database.kysely, clock: runtime.clock });
  listConversations(app, runtime);
  countViews(app, runtime, views);
  listViews(app, views);
  postView(app, views);
  patchView(app, views);
  deleteView(app, views);
  listPeople(app, runtime);
  putAvailability(app, runtime);
}

/** Fastify parses a single value as a string, several as an array. */
const asArray = (value: unknown) => (typeof value === 'string' ? [value] : value);
const { shape } = conversationFiltersSchema;
const flag = queryFlagSchema.optional();

/** The filters of the inbox as parameters of a query. */
const filterQuerySchema = z.object({
  view: shape.view.meta({
    description: 'One of the views that every inbox has. The other filters narrow it down.',
  }),
  status: z.preprocess(asArray, shape.status),
  channel: z.preprocess(asArray, shape.channel),
  assignee: shape.assignee,
  tag: z.preprocess(asArray, shape.tag),
  priority: z.preprocess(asArray, shape.priority),
  unread: flag,
  waiting: flag,
  has_draft: flag,
  q: shape.q.meta({
    description:
      'Words in messages, notes, tags and the names of customers, in any form and order; conversations with other forms, or with words that begin so, follow those with the word; `"…"` for an exact text, `-` for what must not be there, `OR` between two, and `from:`, `tag:`, `channel:`, `is:`, `before:` and `after:`.',
  }),
  email: z.preprocess(
    (value) => (typeof value === 'string' ? value.replaceAll(' ', '+') : value),
    shape.email,
  ),
  customer: shape.customer,
  user_id: shape.user_id,
  session_id: shape.session_id,
  channel_id: shape.channel_id,
  metadata: shape.metadata,
  since: timeSchema.transform((at) => at.toISOString()).optional(),
  until: timeSchema.transform((at) => at.toISOString()).optional(),
  updated_since: timeSchema
    .transform((at) => at.toISOString())
    .optional()
    .meta({ description: shape.updated_since.description }),
  sla_state: shape.sla_state,
  feedback: shape.feedback,
});

const listInboxSchema = {
  ...operatorRoute,
  operationId: 'listInbox',
  summary: 'List conversations as the inbox shows them',
  description:
    'Returns the conversations of a view that match all given filters. A conversation with a new message moves to the front of the list, also while pages are read.',
  params: workspaceParamsSchema,
  querystring: filterQuerySchema.extend({
    limit: pageQuerySchema.shape.limit.default(50),
    cursor: pageQuerySchema.shape.cursor,
    sort: z.enum(inboxSorts).optional().meta({
      description:
        'latest: latest activity first. waiting: longest wait for a person first. sla_due: the target that is missed next first. Conversations without a wait or target follow. Defaults to what suits the view.',
    }),
  }),
  response: {
    200: z.object({
      conversations: z.array(inboxRowSchema),
      searched: z
        .object({ q: z.string(), only: z.string().meta({ description: 'Finds only what was typed.' }) })
        .nullable()
        .meta({
          description: 'With q that finds nothing: the nearest words that occur. They were searched.',
        }),
      pagination: paginationSchema,
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function listConversations(app: TypedApp, { database, clock }: Runtime): void {
  app.get('/conversations', { schema: listInboxSchema, ...needs('inbox:read') }, async (request) => {
    const { limit, cursor, sort, ...filters } = request.query;
    checkSearch(filters.q);
    const page = await searchInbox(database.kysely, toReader(request, clock.now()), {
      filters,
      sort: sort ?? sortOfView(filters.view),
      page: { limit, cursor },
    });
    return {
      conversations: page.items.map(presentRow),
      searched: page.searched,
      pagination: presentPagination(page),
    };
  });
}

const countsSchema = z.object({
  waiting: z.int(),
  mine: z.int(),
  unread: z.int(),
  sla_at_risk: z.int(),
  snoozed: z.int(),
  low_confidence: z.int(),
  open: z.int(),
  resolved: z.int(),
  all: z.int(),
});

const countInboxSchema = {
  ...operatorRoute,
  operationId: 'countInbox',
  summary: 'Count the conversations of all views',
  description: `Returns the number of conversations in each view that every inbox has, and in each saved view by its id. Counting ends at ${mostCounted.toLocaleString('en')}, for \`unread\` and saved views at ${fewCounted}: these numbers mean as many or more.`,
  params: workspaceParamsSchema,
  querystring: z.object({
    answers: z.enum(['true', 'false']).default('false').meta({ description: 'With `answers_today`.' }),
  }),
  response: {
    200: z.object({
      views: countsSchema,
      answers_today: z
        .object({ answered: z.int(), low: z.int().meta({ description: 'Of those, with low confidence.' }) })
        .optional()
        .meta({ description: 'Questions that were answered without a person since midnight.' }),
      saved: z.record(z.string(), z.int()).meta({ description: 'By the id of the saved view.' }),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

/** For every conversation of a person, an unread count looks up how far the reader has read it. */
function mostOf(view: InboxView): number {
  return view === 'unread' ? fewCounted : mostCounted;
}

function countViews(app: TypedApp, { database, clock, agentPresence }: Runtime, views: SavedViews): void {
  app.get('/conversation-counts', { schema: countInboxSchema, ...needs('inbox:read') }, async (request) => {
    const reader = toReader(request, clock.now());
    const saved = await views.list(reader);
    const wanted = new Map<string, Counting>([
      ...inboxViews.map((view) => [view, { filters: { view }, most: mostOf(view) }] as const),
      ...saved.map(({ id, filters }) => [id, { filters, most: fewCounted }] as const),
    ]);
    // A dashboard without a stream counts every ten seconds.
    const { workspaceId, personId } = reader;
    if (personId !== null) await agentPresence.note({ workspaceId, personId });
    const found = await countConversations(database.kysely, reader, wanted);
    const isAsked = request.query.answers === 'true';
    return {
      ...(isAsked && { answers_today: await countAnswersToday(database.kysely, reader, mostCounted) }),
      views: countsSchema.parse(Object.fromEntries(found)),
      saved: Object.fromEntries(saved.map(({ id }) => [id, found.get(id) ?? 0])),
    };
  });
}

const viewFieldsSchema = z.object({
  name: boundedString({ min: 1, max: 64 }, z.string().trim()),
  shared: z.boolean().meta({ description: 'Whether everybody in the workspace has the view.' }),
  filters: conversationFiltersSchema,
  sort: z.enum(inboxSorts),
  place: z.int().min(0).max(10_000).meta({ description: 'Views are sorted by it.' }),
});

const viewSchema = viewFieldsSchema
  .extend({ id: z.string(), created_by: z.string(), created_at: z.iso.datetime() })
  .meta({ id: 'SavedView' });

const viewParamsSchema = workspaceParamsSchema.extend({
  view_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('view_not_found')),
});

function presentView({ createdBy, createdAt, ...view }: SavedView): z.output<typeof viewSchema> {
  return { ...view, created_by: createdBy, created_at: createdAt.toISOString() };
}

const listViewsSchema = {
  ...operatorRoute,
  operationId: 'listViews',
  summary: "List the caller's saved views and the shared ones",
  description: 'Returns at most 100 views in their order.',
  params: workspaceParamsSchema,
  response: { 200: z.object({ views: z.array(viewSchema) }), ...errorResponses('workspace_not_found') },
};

function listViews(app: TypedApp, views: SavedViews): void {
  app.get('/views', { schema: listViewsSchema, ...needs('inbox:read') }, async (request) => ({
    views: (await views.list(toInboxActor(request))).map(presentView),
  }));
}

const postViewSchema = {
  ...operatorRoute,
  operationId: 'createView',
  summary: 'Save filters of the inbox as a view',
  description: 'Saves a view for the caller, or for everybody. Views of the operator are always shared.',
  params: workspaceParamsSchema,
  body: viewFieldsSchema
    .extend({
      shared: viewFieldsSchema.shape.shared.default(false),
      sort: viewFieldsSchema.shape.sort.default('latest'),
      place: viewFieldsSchema.shape.place.default(0),
    })
    .meta({ examples: [{ name: 'Returns', filters: { view: 'open', tag: ['returns'] } }] }),
  response: { 201: viewSchema, ...errorResponses('workspace_not_found') },
};

function postView(app: TypedApp, views: SavedViews): void {
  app.post('/views', { schema: postViewSchema, ...needs('inbox:reply') }, async (request, reply) => {
    checkSearch(request.body.filters.q);
    const view = await views.create(toInboxActor(request), request.body);
    return reply.code(201).send(presentView(view));
  });
}

const patchViewSchema = {
  ...operatorRoute,
  operationId: 'updateView',
  summary: 'Change a saved view',
  description: 'Changes only the fields that are sent. `filters` replaces all filters.',
  params: viewParamsSchema,
  body: viewFieldsSchema.partial(),
  response: { 200: viewSchema, ...errorResponses('workspace_not_found', 'view_not_found') },
};

function patchView(app: TypedApp, views: SavedViews): void {
  app.patch('/views/:view_id', { schema: patchViewSchema, ...needs('inbox:reply') }, async (request) => {
    if (Object.keys(request.body).length === 0) {
      throw new AppError('missing_field', { detail: 'Nothing to change. Send at least one field.' });
    }
    checkSearch(request.body.filters?.q);
    return presentView(await views.change(toInboxActor(request), request.params.view_id, request.body));
  });
}

const deleteViewSchema = {
  ...operatorRoute,
  operationId: 'deleteView',
  summary: 'Delete a saved view',
  description: 'Deletes the view. A shared one disappears for everybody.',
  params: viewParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'view_not_found') },
};

function deleteView(app: TypedApp, views: SavedViews): void {
  app.delete(
    '/views/:view_id',
    { schema: deleteViewSchema, ...needs('inbox:reply') },
    async (request, reply) => {
      await views.delete(toInboxActor(request), request.params.view_id);
      return reply.code(204).send();
    },
  );
}

const agentsSchema = z.object({
  agents: z.array(
    z
      .object({
        id: z.string(),
        name: z.string(),
        email: z.string(),
        available: z.boolean().meta({ description: 'Whether conversations are assigned to them.' }),
        changed_at: z.iso.datetime().nullable(),
        present: z.boolean().meta({
          description:
            'Available, with a dashboard that was open within the last two minutes: only they get conversations.',
        }),
        open: z.int().meta({ description: 'Their conversations that are open, claimed or escalated.' }),
      })
      .meta({ id: 'InboxAgent' }),
  ),
});

const listAgentsSchema = {
  ...operatorRoute,
  operationId: 'listAgents',
  summary: 'List the people who answer in a workspace',
  description: 'Returns everybody who may reply, by name: those that a conversation can be assigned to.',
  params: workspaceParamsSchema,
  response: { 200: agentsSchema, ...errorResponses('workspace_not_found') },
};

function listPeople(app: TypedApp, { database, clock }: Runtime): void {
  const stores = { database: database.kysely, clock };
  app.get('/agents', { schema: listAgentsSchema, ...needs('inbox:read') }, async (request) =>
    presentAgents(await listAgents(stores, toInboxActor(request))),
  );
}

function presentAgents(agents: Awaited<ReturnType<typeof listAgents>>): z.output<typeof agentsSchema> {
  return {
    agents: agents.map(({ changedAt, ...agent }) => ({
      ...agent,
      changed_at: changedAt?.toISOString() ?? null,
    })),
  };
}

const putAvailabilitySchema = {
  ...operatorRoute,
  operationId: 'setAvailability',
  summary: 'Switch whether conversations are assigned to the caller',
  description: 'Returns all agents with the change.',
  params: workspaceParamsSchema,
  body: z.object({ available: z.boolean() }).meta({ examples: [{ available: true }] }),
  response: { 200: agentsSchema, ...errorResponses('workspace_not_found') },
};

function putAvailability(app: TypedApp, { database, clock }: Runtime): void {
  const stores = { database: database.kysely, clock };
  app.put('/availability', { schema: putAvailabilitySchema, ...needs('inbox:reply') }, async (request) => {
    const person = toPerson(request);
    await setAvailability(stores, person, request.body.available);
    return presentAgents(await listAgents(stores, person));
  });
}
