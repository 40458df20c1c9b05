import { z } from 'zod';
import {
  conflictKinds,
  conflictStatuses,
  type FactConflict,
} from '../../../core/knowledge/facts/fact-conflicts.ts';
import type { KnowledgeServices } from '../../../core/runtime/open-knowledge.ts';
import { needs } from '../../plugins/operator-access.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

const sideSchema = z.object({
  document_id: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  changed_at: z.iso.datetime().meta({ description: 'When the document last changed.' }),
  text: z.string().meta({ description: 'The sentence, list item or table row.' }),
  value: z.string().meta({ description: 'Its value in a form in which equal values are equal.' }),
  mark: z.string().meta({ description: 'The value as the text has it; empty if no part of the text is it.' }),
});

const conflictSchema = z
  .object({
    id: z.string(),
    kind: z.enum(conflictKinds).meta({
      description: 'What the texts disagree on; `past` is one text that names a day that is over.',
    }),
    status: z.enum(conflictStatuses).meta({ description: '`resolved` once one of the texts has changed.' }),
    found_at: z.iso.datetime(),
    statements: z.array(sideSchema).meta({ description: 'The two texts; one for `past`.' }),
  })
  .meta({ id: 'FactConflict' });

/** Registers the list of texts that contradict each other or are out of date. */
export function knowledgeRoutes(app: TypedApp, services: KnowledgeServices): void {
  listConflicts(app, services);
  changeConflict(app, services);
}

const listSchema = {
  ...operatorRoute,
  summary: 'List texts that contradict each other or are out of date',
  operationId: 'listFactConflicts',
  description:
    'Returns pairs of sentences, list items and table rows that name different values for the same thing, and texts that name a day that is over, latest found first. A document is compared with the others after it is indexed. Documents that no visitor sees together are not compared.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema.extend({
    status: z.enum(conflictStatuses).default('open'),
    kind: z.enum(conflictKinds).optional(),
  }),
  response: {
    200: z.object({ conflicts: z.array(conflictSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

function listConflicts(app: TypedApp, { factConflicts }: KnowledgeServices): void {
  app.get('/knowledge/conflicts', { schema: listSchema, ...needs('knowledge:read') }, async (request) => {
    const page = await factConflicts.list(requestWorkspace.get(request).id, request.query);
    return { conflicts: page.items.map(presentConflict), pagination: presentPagination(page) };
  });
}

const changeSchema = {
  ...operatorRoute,
  summary: 'Dismiss a contradiction, or open it again',
  operationId: 'changeFactConflict',
  description:
    'A dismissed contradiction is no longer named in answers, and stays dismissed while its texts are the same. A resolved one stays as it is.',
  params: workspaceParamsSchema.extend({
    conflict_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('fact_conflict_not_found')),
  }),
  body: z.object({ status: z.enum(['open', 'dismissed']) }),
  response: {
    200: conflictSchema,
    ...errorResponses('workspace_not_found', 'fact_conflict_not_found'),
  },
};

function changeConflict(app: TypedApp, { factConflicts }: KnowledgeServices): void {
  app.patch(
    '/knowledge/conflicts/:conflict_id',
    { schema: changeSchema, ...needs('knowledge:write') },
    async (request) =>
      presentConflict(
        await factConflicts.change(
          requestWorkspace.get(request).id,
          request.params.conflict_id,
          request.body.status,
        ),
      ),
  );
}

function presentConflict({
  id,
  kind,
  status,
  foundAt,
  sides,
}: FactConflict): z.output<typeof conflictSchema> {
  return {
    ...{ id, kind, status, found_at: foundAt.toISOString() },
    statements: sides.map(({ documentId, title, url, changedAt, text, value, mark }) => ({
      ...{ document_id: documentId, title, url, changed_at: changedAt.toISOString() },
      ...{ text, value, mark },
    })),
  };
}
