import { z } from 'zod';
import { listPassages, readIndexedText } from '../../../core/knowledge/documents/readable-documents.ts';
import type { KnowledgeServices } from '../../../core/runtime/open-knowledge.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { documentParamsSchema } from './schema.ts';

/** Registers what is read of documents beside their state: counts, text and passages. */
export function readRoutes(app: TypedApp, runtime: Runtime): void {
  countDocuments(app, runtime);
  readContent(app, runtime);
  readPassages(app, runtime);
}

const countSchema = {
  ...operatorRoute,
  summary: 'Count the documents of a workspace',
  operationId: 'countDocuments',
  description:
    'Returns the number of documents by status, their passages and bytes, and how many wait for the index since when.',
  params: workspaceParamsSchema,
  response: {
    200: z.object({
      documents: z.int(),
      statuses: z.object({ queued: z.int(), indexing: z.int(), indexed: z.int(), failed: z.int() }),
      waiting: z
        .object({
          documents: z.int(),
          oldest_at: z.iso.datetime().nullable().meta({ description: 'Null if none waits.' }),
        })
        .meta({
          description: 'Documents whose newest content is not in the index yet: queued and indexing.',
        }),
      chunks: z.int(),
      bytes: z.int(),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function countDocuments(app: TypedApp, { documents }: KnowledgeServices): void {
  app.get(
    '/documents/counts',
    { schema: countSchema, ...needs('knowledge:read', { scope: 'documents:read' }) },
    async (request) => {
      const counts = await documents.count(requestWorkspace.get(request).id);
      const { queued, indexing, indexed, failed, oldestWaitingAt, ...totals } = counts;
      return {
        ...totals,
        statuses: { queued, indexing, indexed, failed },
        waiting: { documents: queued + indexing, oldest_at: oldestWaitingAt?.toISOString() ?? null },
      };
    },
  );
}

const contentSchema = {
  ...operatorRoute,
  summary: 'Read the text of a document',
  operationId: 'readDocumentContent',
  description:
    'Returns the text that was read from the document, as Markdown. While new content is indexed it is that of the old one; empty until a text is indexed.',
  params: documentParamsSchema,
  response: {
    200: z.object({ document_id: z.string(), text: z.string() }),
    ...errorResponses('workspace_not_found', 'document_not_found'),
  },
};

function readContent(app: TypedApp, { documents, database }: Runtime): void {
  app.get(
    '/documents/:doc_id/content',
    { schema: contentSchema, ...needs('knowledge:read', { scope: 'documents:read' }) },
    async (request) => {
      const document = await documents.get(requestWorkspace.get(request).id, request.params.doc_id);
      const text = document.revision < 1 ? '' : await readIndexedText(database.kysely, document);
      return { document_id: document.id, text };
    },
  );
}

const passagesSchema = {
  ...operatorRoute,
  summary: 'List the passages of a document',
  operationId: 'listDocumentPassages',
  description: 'Returns the passages that searches find, in the order of the document.',
  params: documentParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({
      passages: z.array(
        z.object({
          ordinal: z.int().meta({ description: 'The position in the document, from 0.' }),
          headings: z
            .array(z.string())
            .meta({ description: 'The headings above it, outermost first; without the title.' }),
          body: z.string().meta({ description: 'Markdown.' }),
          length: z.int().meta({ description: 'Characters of the body.' }),
        }),
      ),
      pagination: paginationSchema,
    }),
    ...errorResponses('workspace_not_found', 'document_not_found'),
  },
};

function readPassages(app: TypedApp, { documents, database }: Runtime): void {
  app.get(
    '/documents/:doc_id/passages',
    { schema: passagesSchema, ...needs('knowledge:read', { scope: 'documents:read' }) },
    async (request) => {
      const document = await documents.get(requestWorkspace.get(request).id, request.params.doc_id);
      const page = await listPassages(database.kysely, document, request.query);
      return {
        passages: page.items.map(({ ordinal, headings, body }) => ({
          ordinal,
          headings: [...headings],
          body,
          length: Array.from(body).length,
        })),
        pagination: presentPagination(page),
      };
    },
  );
}
