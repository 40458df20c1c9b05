import { z } from 'zod';
import { draftForGap } from '../../../core/evaluation/gaps/gap-draft.ts';
import { Gaps } from '../../../core/evaluation/gaps/gaps.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import {
  checkBodySchema,
  gapDetailSchema,
  gapDraftSchema,
  gapParamsSchema,
  gapSchema,
  kindSchema,
  mergeBodySchema,
  presentDetail,
  presentDraft,
  presentGap,
  stateSchema,
} from './schema.ts';

/** Registers the routes for what visitors ask about without getting an answer. */
export function gapRoutes(app: TypedApp, runtime: Runtime): void {
  const { database, clock, queue, log } = runtime;
  const gaps = new Gaps({ database: database.kysely, clock, queue, log });
  listGaps(app, gaps);
  refreshGaps(app, gaps);
  getGap(app, gaps);
  changeGap(app, gaps);
  mergeGaps(app, gaps);
  getDraft(app, runtime);
  checkGap(app, gaps, runtime);
}

const counted = z.int();

const listSchema = {
  ...operatorRoute,
  summary: 'List the gaps of a workspace, most asked first',
  operationId: 'listGaps',
  description:
    'Returns topics of the last 90 days that visitors got no answer to: with low confidence, with a thumbs down, or by asking for a person. Questions about the same are one gap.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema.extend({ state: stateSchema.optional(), kind: kindSchema.optional() }),
  response: {
    200: z.object({
      gaps: z.array(gapSchema),
      counts: z
        .object({ open: counted, planned: counted, done: counted, dismissed: counted })
        .meta({ description: 'All gaps of the workspace by state.' }),
      pagination: paginationSchema,
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function listGaps(app: TypedApp, gaps: Gaps): void {
  app.get('/gaps', { schema: listSchema, ...needs('knowledge:read') }, async (request) => {
    const page = await gaps.list(requestWorkspace.get(request).id, request.query);
    const { items, counts } = page;
    return { gaps: items.map(presentGap), counts, pagination: presentPagination(page) };
  });
}

const refreshSchema = {
  ...operatorRoute,
  summary: 'Sort new questions into gaps',
  operationId: 'refreshGaps',
  description:
    'Sorts the questions since the last time, in the background. It happens every night by itself. `waiting` is the number that is left.',
  params: workspaceParamsSchema,
  response: { 202: z.object({ waiting: z.int() }), ...errorResponses('workspace_not_found') },
};

function refreshGaps(app: TypedApp, gaps: Gaps): void {
  app.post('/gaps/refresh', { schema: refreshSchema, ...needs('knowledge:read') }, async (request, reply) =>
    reply.code(202).send({ waiting: await gaps.refresh(requestWorkspace.get(request).id) }),
  );
}

const getSchema = {
  ...operatorRoute,
  summary: 'Read a gap with its questions',
  operationId: 'getGap',
  description: 'Returns the gap with its latest questions. Texts are masked.',
  params: gapParamsSchema,
  response: { 200: gapDetailSchema, ...errorResponses('workspace_not_found', 'gap_not_found') },
};

function getGap(app: TypedApp, gaps: Gaps): void {
  app.get('/gaps/:gap_id', { schema: getSchema, ...needs('knowledge:read') }, async (request) =>
    presentDetail(await gaps.get(requestWorkspace.get(request).id, request.params.gap_id)),
  );
}

const changeSchema = {
  ...operatorRoute,
  summary: 'Change the state of a gap',
  operationId: 'changeGap',
  description:
    'Sets the state. A gap that is done opens again with the next question without an answer, a dismissed one with the fifth.',
  params: gapParamsSchema,
  body: z.object({ state: stateSchema }).meta({ examples: [{ state: 'planned' }] }),
  response: { 200: gapSchema, ...errorResponses('workspace_not_found', 'gap_not_found') },
};

function changeGap(app: TypedApp, gaps: Gaps): void {
  app.patch('/gaps/:gap_id', { schema: changeSchema, ...needs('knowledge:write') }, async (request) => {
    const by = requestActor.get(request).identity.name;
    const change = { state: request.body.state, by };
    return presentGap(await gaps.change(requestWorkspace.get(request).id, request.params.gap_id, change));
  });
}

const mergeSchema = {
  ...operatorRoute,
  summary: 'Merge gaps',
  operationId: 'mergeGaps',
  description:
    'Moves the questions of other gaps into this one, which keeps its kind and state. They must be of one language.',
  params: gapParamsSchema,
  body: mergeBodySchema,
  response: {
    200: gapSchema,
    ...errorResponses('workspace_not_found', 'gap_not_found', 'gap_language_differs'),
  },
};

function mergeGaps(app: TypedApp, gaps: Gaps): void {
  app.post('/gaps/:gap_id/merge', { schema: mergeSchema, ...needs('knowledge:write') }, async (request) => {
    const by = requestActor.get(request).identity.name;
    const others = request.body.gap_ids;
    const { id } = requestWorkspace.get(request);
    return presentGap(await gaps.merge(id, request.params.gap_id, { others, by }));
  });
}

const draftSchema = {
  ...operatorRoute,
  summary: "Draft a curated answer from agents' replies",
  operationId: 'draftForGap',
  description:
    'Returns a curated answer to begin with: the questions of the gap, and what agents replied in their conversations. Nothing is stored. Texts are masked.',
  params: gapParamsSchema,
  response: { 200: gapDraftSchema, ...errorResponses('workspace_not_found', 'gap_not_found') },
};

function getDraft(app: TypedApp, { database }: Runtime): void {
  app.get('/gaps/:gap_id/draft', { schema: draftSchema, ...needs('knowledge:read') }, async (request) => {
    const target = { workspaceId: requestWorkspace.get(request).id, id: request.params.gap_id };
    return presentDraft(await draftForGap(database.kysely, target));
  });
}

const checkSchema = {
  ...operatorRoute,
  summary: 'Ask the questions of a gap again',
  operationId: 'checkGap',
  description:
    'Asks all questions of the gap on trial, in the background: nothing is counted, sent or fired. If all are answered, the gap is done.',
  params: gapParamsSchema,
  body: checkBodySchema,
  response: {
    202: gapSchema,
    ...errorResponses('workspace_not_found', 'gap_not_found', 'curated_answer_not_found'),
  },
};

function checkGap(app: TypedApp, gaps: Gaps, { curatedAnswers }: Runtime): void {
  app.post(
    '/gaps/:gap_id/check',
    { schema: checkSchema, ...needs('knowledge:write') },
    async (request, reply) => {
      const { id } = requestWorkspace.get(request);
      const { answer_id: answerId } = request.body;
      if (answerId !== null) await curatedAnswers.get(id, answerId);
      const by = requestActor.get(request).identity.name;
      const gap = await gaps.check(id, request.params.gap_id, { answerId, by });
      return reply.code(202).send(presentGap(gap));
    },
  );
}
