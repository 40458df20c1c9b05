import multipart from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { type DocumentRecord, documentStatuses } from '../../../core/knowledge/documents/document.ts';
import {
  type Documents,
  documentOrders,
  waitUntilIndexed,
} from '../../../core/knowledge/documents/documents.ts';
import type { KnowledgeServices } from '../../../core/runtime/open-knowledge.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { assertKnownAudience } from '../../../core/workspaces/workspaces.ts';
import type { Drain } from '../../drain.ts';
import { parseMultipartForm } from '../../multipart-form.ts';
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
import { bulkRoutes } from './bulk-routes.ts';
import { changeRoutes, contentRoutes } from './change-routes.ts';
import { parseDocument } from './parse-document.ts';
import { readRoutes } from './read-routes.ts';
import {
  bodyLimit,
  documentBodySchema,
  documentParamsSchema,
  documentSchema,
  listedDocumentSchema,
  maxFileBytes,
  presentDocument,
  uploadBodySchema,
} from './schema.ts';

/** Registers the operator's routes for the documents of a workspace. */
export function documentRoutes(app: TypedApp, runtime: Runtime, drain: Drain): void {
  listDocuments(app, runtime);
  getDocument(app, runtime);
  deleteDocument(app, runtime);
  readRoutes(app, runtime);
  changeRoutes(app, runtime);
  bulkRoutes(app, runtime);
  app.register(async (scope: TypedApp) => {
    await scope.register(multipart, { throwFileSizeLimit: false });
    postDocument(scope, runtime, drain);
    uploadDocument(scope, runtime, drain);
    contentRoutes(scope, runtime);
  });
}

const listDocumentsSchema = {
  ...operatorRoute,
  summary: 'List the documents of a workspace, latest first',
  operationId: 'listDocuments',
  description: 'Returns the documents of the workspace with the state of their indexing.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema.extend({
    q: boundedString({ min: 1, max: 1_000 }).optional().meta({
      description: 'Only documents with this text in their title, URL or file name.',
    }),
    status: z.enum(documentStatuses).optional(),
    audience: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'An audience tag, or * for documents that everybody may read.' }),
    source_id: z.string().max(100).optional().meta({ description: 'Only documents of this source.' }),
    sort: z.enum(documentOrders).default('updated').meta({
      description: 'Last changed first, most answers first, or highest share of thumbs down first.',
    }),
  }),
  response: {
    200: z.object({ documents: z.array(listedDocumentSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

function listDocuments(app: TypedApp, { documents }: KnowledgeServices): void {
  app.get(
    '/documents',
    { schema: listDocumentsSchema, ...needs('knowledge:read', { scope: 'documents:read' }) },
    async (request) => {
      const { source_id: sourceId, ...query } = request.query;
      const page = await documents.list(requestWorkspace.get(request).id, { ...query, sourceId });
      const listed = page.items.map(({ use, ...document }) => ({ ...presentDocument(document), use }));
      return { documents: listed, pagination: presentPagination(page) };
    },
  );
}

const getDocumentSchema = {
  ...operatorRoute,
  summary: 'Read the state of a document',
  operationId: 'getDocument',
  description: 'Returns the state of the document and its indexing. The text itself is not returned.',
  params: documentParamsSchema,
  response: { 200: documentSchema, ...errorResponses('workspace_not_found', 'document_not_found') },
};

function getDocument(app: TypedApp, { documents }: KnowledgeServices): void {
  app.get(
    '/documents/:doc_id',
    { schema: getDocumentSchema, ...needs('knowledge:read', { scope: 'documents:read' }) },
    async (request) =>
      presentDocument(await documents.get(requestWorkspace.get(request).id, request.params.doc_id)),
  );
}

const deleteDocumentSchema = {
  ...operatorRoute,
  summary: 'Delete a document',
  operationId: 'deleteDocument',
  description:
    'Deletes the document and its passages. New answers no longer use it. With `restorable=true` it can be restored for a minute; then its passages are removed.',
  params: documentParamsSchema,
  querystring: restorableQuerySchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'document_not_found') },
};

function deleteDocument(app: TypedApp, { documents }: KnowledgeServices): void {
  app.delete(
    '/documents/:doc_id',
    { schema: deleteDocumentSchema, ...needs('knowledge:write', { scope: 'documents:write' }) },
    async (request, reply) => {
      await documents.delete(requestWorkspace.get(request).id, request.params.doc_id, {
        actor: requestActor.get(request).identity,
        restorableMs: restorableMs(request.query.restorable),
      });
      return reply.code(204).send();
    },
  );
}

const common = {
  ...operatorRoute,
  params: workspaceParamsSchema,
  querystring: z.object({
    wait: z
      .enum(['true', 'false'])
      .default('false')
      .meta({ description: 'true returns the response after indexing has succeeded or failed.' }),
  }),
  response: {
    200: documentSchema.meta({ description: 'With wait: the document is indexed or failed.' }),
    202: documentSchema.meta({ description: 'The document is queued for indexing.' }),
    ...errorResponses('workspace_not_found', 'invalid_multipart'),
  },
};

const postDocumentSchema = {
  ...common,
  summary: 'Add a document, or replace the one with the same URL or file name',
  operationId: 'addDocument',
  description:
    'Adds a document from the text in `content` and queues it for indexing. It replaces a document with the same `url` or file name; answers use the old content until the new one is indexed. The response is 202 immediately, or with `wait=true` 200 after indexing has succeeded or failed. To send a file, use `uploadDocument`; a form is accepted here as well.',
  consumes: ['application/json', 'multipart/form-data'],
  body: documentBodySchema,
};

const uploadSchema = {
  ...common,
  summary: 'Add a document from a file, or replace the one with the same URL or file name',
  operationId: 'uploadDocument',
  description:
    'Adds a document from a file of at most 25 MB (PDF, DOCX, XLSX, PPTX, ODT, EPUB, RTF, EML, Markdown, HTML, text or CSV) and queues it for indexing. It replaces a document with the same `url` or file name. The response is 202 immediately, or with `wait=true` 200 after indexing has succeeded or failed. A file that cannot be read gets the status `failed`, with the reason.',
  consumes: ['multipart/form-data'],
  body: uploadBodySchema,
};

function postDocument(app: TypedApp, runtime: Runtime, drain: Drain): void {
  const preValidation = parseMultipartForm(maxFileBytes);
  app.post(
    '/documents',
    {
      schema: postDocumentSchema,
      bodyLimit,
      preValidation,
      ...needs('knowledge:write', { scope: 'documents:write' }),
    },
    (request, reply) => add(runtime, { request, reply, draining: drain.signal }),
  );
}

function uploadDocument(app: TypedApp, runtime: Runtime, drain: Drain): void {
  const readFile = parseMultipartForm(maxFileBytes);
  const preValidation = async (request: FastifyRequest) => {
    if (!request.isMultipart()) {
      throw new AppError('unsupported_media_type', {
        detail: 'The body is not a form. Send the file as multipart/form-data.',
      });
    }
    await readFile(request);
  };
  app.post(
    '/documents/upload',
    {
      schema: uploadSchema,
      bodyLimit,
      preValidation,
      ...needs('knowledge:write', { scope: 'documents:write' }),
    },
    (request, reply) => add(runtime, { request, reply, draining: drain.signal }),
  );
}

interface Addition {
  readonly request: FastifyRequest & {
    readonly body: Parameters<typeof parseDocument>[0];
    readonly query: { readonly wait: 'true' | 'false' };
  };
  readonly reply: FastifyReply;
  readonly draining: AbortSignal;
}

async function add({ documents }: KnowledgeServices, { request, reply, draining }: Addition) {
  const workspace = requestWorkspace.get(request);
  assertKnownAudience(workspace, request.body.audience);
  const added = await documents.add({
    ...parseDocument(request.body),
    workspaceId: workspace.id,
    actor: requestActor.get(request).identity,
  });
  if (request.query.wait === 'false') return reply.code(202).send(presentDocument(added));
  const document = await waitForIndexing(documents, added, { reply, draining });
  const final = document.status === 'indexed' || document.status === 'failed';
  return reply.code(final ? 200 : 202).send(presentDocument(document));
}

interface WaitOptions {
  readonly reply: FastifyReply;
  /** Aborted when the server drains. The document is then returned in its current state. */
  readonly draining: AbortSignal;
}

/**
 * Returns the document once it is `indexed` or `failed`, or in its current state if the client disconnects or
 * the server drains.
 */
async function waitForIndexing(
  documents: Documents,
  document: DocumentRecord,
  { reply, draining }: WaitOptions,
): Promise<DocumentRecord> {
  const disconnected = new AbortController();
  reply.raw.once('close', () => disconnected.abort());
  const stopped = AbortSignal.any([disconnected.signal, draining]);
  let latest = document;
  try {
    return await waitUntilIndexed(documents, {
      workspaceId: document.workspaceId,
      documentId: document.id,
      onLook(current) {
        latest = current;
        stopped.throwIfAborted();
      },
    });
  } catch (error) {
    if (stopped.aborted) return latest;
    throw error;
  }
}
