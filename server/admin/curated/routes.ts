import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { assertKnownAudience } from '../../../core/workspaces/workspaces.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { boundedString } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import {
  operatorRoute,
  requestWorkspace,
  restorableMs,
  restorableQuerySchema,
  workspaceParamsSchema,
} from '../operator-route.ts';
import { curatedCsvRoutes } from './csv-routes.ts';
import {
  curatedBodySchema,
  curatedChangeSchema,
  curatedParamsSchema,
  curatedSchema,
  presentCurated,
} from './schema.ts';

/** Registers the routes for the answers that people wrote for questions. */
export function curatedRoutes(app: TypedApp, runtime: Runtime): void {
  listAnswers(app, runtime);
  createAnswer(app, runtime);
  curatedCsvRoutes(app, runtime);
  getAnswer(app, runtime);
  changeAnswer(app, runtime);
  deleteAnswer(app, runtime);
  restoreAnswer(app, runtime);
}

const listSchema = {
  ...operatorRoute,
  summary: 'List the curated answers of a workspace, last changed first',
  operationId: 'listCuratedAnswers',
  description: 'Returns the answers that people wrote for questions, in pages.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema.extend({
    q: boundedString({ min: 1, max: 200 }, z.string().trim()).optional().meta({
      description: 'Only those that contain this in their question, phrasings or answer.',
    }),
  }),
  response: {
    200: z.object({
      answers: z.array(curatedSchema),
      total: z.int().meta({ description: 'All answers of the workspace.' }),
      pagination: paginationSchema,
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function listAnswers(app: TypedApp, { curatedAnswers }: Runtime): void {
  app.get('/curated-answers', { schema: listSchema, ...needs('knowledge:read') }, async (request) => {
    const { q: search, ...wanted } = request.query;
    const page = await curatedAnswers.list(requestWorkspace.get(request).id, { ...wanted, search });
    return {
      answers: page.items.map(presentCurated),
      total: page.total,
      pagination: presentPagination(page),
    };
  });
}

const createSchema = {
  ...operatorRoute,
  summary: 'Write a curated answer',
  operationId: 'createCuratedAnswer',
  description:
    'Stores an answer to a question. It is a document of its own kind: it is found, scored and cited like the others, and comes first for a question that is one of its phrasings.',
  params: workspaceParamsSchema,
  body: curatedBodySchema.meta({
    examples: [
      {
        question: 'Can I pay by invoice?',
        phrasings: ['invoice'],
        answer: 'Yes, from your second order on.',
      },
    ],
  }),
  response: {
    201: curatedSchema,
    ...errorResponses(
      'workspace_not_found',
      'invalid_audience',
      'curated_answer_exists',
      'curated_answer_without_text',
      'too_many_curated_answers',
    ),
  },
};

function createAnswer(app: TypedApp, { curatedAnswers }: Runtime): void {
  app.post(
    '/curated-answers',
    { schema: createSchema, ...needs('knowledge:write') },
    async (request, reply) => {
      const { valid_until: validUntil, ...written } = request.body;
      assertKnownAudience(requestWorkspace.get(request), written.audience);
      const answer = await curatedAnswers.create(changeOf(request), { ...written, validUntil });
      return reply.code(201).send(presentCurated(answer));
    },
  );
}

const getSchema = {
  ...operatorRoute,
  summary: 'Read a curated answer',
  operationId: 'getCuratedAnswer',
  description: 'Returns the answer with the state of its indexing.',
  params: curatedParamsSchema,
  response: { 200: curatedSchema, ...errorResponses('workspace_not_found', 'curated_answer_not_found') },
};

function getAnswer(app: TypedApp, { curatedAnswers }: Runtime): void {
  app.get('/curated-answers/:answer_id', { schema: getSchema, ...needs('knowledge:read') }, async (request) =>
    presentCurated(await curatedAnswers.get(requestWorkspace.get(request).id, request.params.answer_id)),
  );
}

const changeSchema = {
  ...operatorRoute,
  summary: 'Change a curated answer',
  operationId: 'changeCuratedAnswer',
  description:
    'Changes the named fields. A new text is used once it is indexed; a new date or action counts at once.',
  params: curatedParamsSchema,
  body: curatedChangeSchema.meta({ examples: [{ valid_until: '2027-01-06' }] }),
  response: {
    200: curatedSchema,
    ...errorResponses(
      'workspace_not_found',
      'invalid_audience',
      'curated_answer_not_found',
      'curated_answer_exists',
      'curated_answer_without_text',
    ),
  },
};

function changeAnswer(app: TypedApp, { curatedAnswers }: Runtime): void {
  app.patch(
    '/curated-answers/:answer_id',
    { schema: changeSchema, ...needs('knowledge:write') },
    async (request) => {
      const { valid_until: validUntil, ...written } = request.body;
      if (written.audience !== undefined)
        assertKnownAudience(requestWorkspace.get(request), written.audience);
      const target = { ...changeOf(request), id: request.params.answer_id };
      return presentCurated(await curatedAnswers.change(target, { ...written, validUntil }));
    },
  );
}

const deleteSchema = {
  ...operatorRoute,
  summary: 'Delete a curated answer',
  operationId: 'deleteCuratedAnswer',
  description:
    'Deletes the answer. Nothing finds it any more. With `restorable=true` it can be restored for a minute.',
  params: curatedParamsSchema,
  querystring: restorableQuerySchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'curated_answer_not_found') },
};

function deleteAnswer(app: TypedApp, { curatedAnswers, documents }: Runtime): void {
  app.delete(
    '/curated-answers/:answer_id',
    { schema: deleteSchema, ...needs('knowledge:write') },
    async (request, reply) => {
      const { workspaceId, actor } = changeOf(request);
      const { id } = await curatedAnswers.get(workspaceId, request.params.answer_id);
      await documents.delete(workspaceId, id, {
        actor,
        restorableMs: restorableMs(request.query.restorable),
      });
      return reply.code(204).send();
    },
  );
}

const restoreSchema = {
  ...operatorRoute,
  summary: 'Restore a deleted curated answer',
  operationId: 'restoreCuratedAnswer',
  description: 'Takes back a deletion with `restorable=true`, within a minute.',
  params: curatedParamsSchema,
  response: {
    200: curatedSchema,
    ...errorResponses('workspace_not_found', 'document_not_found', 'document_exists'),
  },
};

function restoreAnswer(app: TypedApp, { curatedAnswers, documentChanges }: Runtime): void {
  app.post(
    '/curated-answers/:answer_id/restore',
    { schema: restoreSchema, ...needs('knowledge:write') },
    async (request) => {
      const target = { ...changeOf(request), id: request.params.answer_id };
      await documentChanges.restore(target);
      return presentCurated(await curatedAnswers.get(target.workspaceId, target.id));
    },
  );
}

function changeOf(request: FastifyRequest) {
  return {
    workspaceId: requestWorkspace.get(request).id,
    actor: requestActor.get(request).identity,
  };
}
