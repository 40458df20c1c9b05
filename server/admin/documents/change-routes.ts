import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { FetchError } from '../../../core/base/http-client.ts';
import { addDemoDocuments } from '../../../core/demo/open-demo.ts';
import type { DocumentTarget } from '../../../core/knowledge/documents/document-changes.ts';
import {
  type FetchedPage,
  fetchPage,
  ListOfPagesError,
  PageRefusedError,
} from '../../../core/knowledge/fetch-page.ts';
import type { KnowledgeServices } from '../../../core/runtime/open-knowledge.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { assertKnownAudience } from '../../../core/workspaces/workspaces.ts';
import { parseMultipartForm } from '../../multipart-form.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { parseContent } from './parse-document.ts';
import {
  bodyLimit,
  contentBodySchema,
  documentChangeSchema,
  documentParamsSchema,
  documentSchema,
  maxFileBytes,
  pageBodySchema,
  presentDocument,
} from './schema.ts';

/** Registers the changes of single documents, and additions that carry no content of their own. */
export function changeRoutes(app: TypedApp, runtime: Runtime): void {
  changeDocument(app, runtime);
  reindexDocument(app, runtime);
  restoreDocument(app, runtime);
  addPage(app, runtime);
  addDemo(app, runtime);
}

const changeSchema = {
  ...operatorRoute,
  summary: 'Change the title, URL or audience of a document',
  operationId: 'changeDocument',
  description:
    'Changes the named fields. A new title or audience is indexed: until then answers use the document as it was. A failed new content is given up then, and the earlier text is indexed.',
  params: documentParamsSchema,
  body: documentChangeSchema,
  response: {
    200: documentSchema,
    ...errorResponses(
      'workspace_not_found',
      'document_not_found',
      'document_exists',
      'curated_document',
      'invalid_audience',
    ),
  },
};

function changeDocument(app: TypedApp, { documentChanges }: KnowledgeServices): void {
  app.patch(
    '/documents/:doc_id',
    { schema: changeSchema, ...needs('knowledge:write', { scope: 'documents:write' }) },
    async (request) => {
      const { audience } = request.body;
      if (audience !== undefined) assertKnownAudience(requestWorkspace.get(request), audience);
      return presentDocument(await documentChanges.change(targetOf(request), request.body));
    },
  );
}

const reindexSchema = {
  ...operatorRoute,
  summary: 'Index a document again',
  operationId: 'reindexDocument',
  description:
    'Queues the document for indexing: a failed one from the content that was sent, another from its text as read. One that is waiting already is left alone.',
  params: documentParamsSchema,
  response: {
    202: documentSchema,
    ...errorResponses('workspace_not_found', 'document_not_found', 'document_content_gone'),
  },
};

function reindexDocument(app: TypedApp, { documentChanges }: KnowledgeServices): void {
  app.post(
    '/documents/:doc_id/reindex',
    { schema: reindexSchema, ...needs('knowledge:write', { scope: 'documents:write' }) },
    async (request, reply) =>
      reply.code(202).send(presentDocument(await documentChanges.reindex(targetOf(request)))),
  );
}

const restoreSchema = {
  ...operatorRoute,
  summary: 'Restore a deleted document',
  operationId: 'restoreDocument',
  description: 'Takes back a deletion with `restorable=true`, within a minute.',
  params: documentParamsSchema,
  response: {
    200: documentSchema,
    ...errorResponses('workspace_not_found', 'document_not_found', 'document_exists'),
  },
};

function restoreDocument(app: TypedApp, { documentChanges }: KnowledgeServices): void {
  app.post(
    '/documents/:doc_id/restore',
    { schema: restoreSchema, ...needs('knowledge:write', { scope: 'documents:write' }) },
    async (request) => presentDocument(await documentChanges.restore(targetOf(request))),
  );
}

const pageSchema = {
  ...operatorRoute,
  summary: 'Add a page of the web as a document',
  operationId: 'addPage',
  description:
    'Fetches one page or file and queues it for indexing. It replaces the document with the same URL. Only public addresses are fetched, unless the installation allows private ones (ALLOW_PRIVATE_WEBHOOKS).',
  params: workspaceParamsSchema,
  body: pageBodySchema,
  response: {
    202: documentSchema,
    ...errorResponses('workspace_not_found', 'invalid_audience', 'page_unavailable', 'list_of_pages'),
  },
};

function addPage(app: TypedApp, { documents, config }: Runtime): void {
  app.post(
    '/documents/fetch',
    { schema: pageSchema, ...needs('knowledge:write', { scope: 'documents:write' }) },
    async (request, reply) => {
      const workspace = requestWorkspace.get(request);
      const { url, title, audience } = request.body;
      assertKnownAudience(workspace, audience);
      const page = await readPage(url, config.ALLOW_PRIVATE_WEBHOOKS);
      const added = await documents.add({
        ...{ workspaceId: workspace.id, actor: requestActor.get(request).identity },
        ...{ title, audience, origin: 'page', url: page.url },
        ...{ bytes: page.bytes, fileName: page.fileName, contentType: page.contentType ?? undefined },
      });
      return reply.code(202).send(presentDocument(added));
    },
  );
}

async function readPage(url: string, allowPrivate: boolean): Promise<FetchedPage> {
  try {
    return await fetchPage(url, { allowPrivate });
  } catch (cause) {
    if (cause instanceof ListOfPagesError) throw new AppError('list_of_pages', { cause });
    if (!(cause instanceof FetchError) && !(cause instanceof PageRefusedError)) throw cause;
    throw new AppError('page_unavailable', { detail: `The page cannot be read. ${cause.message}`, cause });
  }
}

const demoSchema = {
  ...operatorRoute,
  summary: 'Add the demo help centre',
  operationId: 'addDemoDocuments',
  description:
    'Adds the pages of a fictional company, to try out answers. They have the origin `demo`. Pages that are there already are left alone.',
  params: workspaceParamsSchema,
  response: {
    202: z.object({ documents: z.array(documentSchema) }),
    ...errorResponses('workspace_not_found'),
  },
};

function addDemo(app: TypedApp, { documents }: KnowledgeServices): void {
  app.post('/documents/demo', { schema: demoSchema, ...needs('knowledge:write') }, async (request, reply) => {
    const added = await addDemoDocuments(documents, {
      workspaceId: requestWorkspace.get(request).id,
      actor: requestActor.get(request).identity,
    });
    return reply.code(202).send({ documents: added.map(presentDocument) });
  });
}

const replaceSchema = {
  ...operatorRoute,
  summary: 'Replace the content of a document',
  operationId: 'replaceDocumentContent',
  description:
    'Replaces the content by the text in `content` or the file of a form. Id, title, URL and audience stay. Answers use the old content until the new one is indexed.',
  consumes: ['application/json', 'multipart/form-data'],
  params: documentParamsSchema,
  body: contentBodySchema,
  response: {
    202: documentSchema,
    ...errorResponses('workspace_not_found', 'document_not_found', 'curated_document', 'invalid_multipart'),
  },
};

/** Registers the replacement of content, on a scope that reads forms. */
export function contentRoutes(app: TypedApp, { documentChanges }: KnowledgeServices): void {
  const preValidation = parseMultipartForm(maxFileBytes);
  app.put(
    '/documents/:doc_id/content',
    {
      schema: replaceSchema,
      bodyLimit,
      preValidation,
      ...needs('knowledge:write', { scope: 'documents:write' }),
    },
    async (request, reply) => {
      const changed = await documentChanges.replace(targetOf(request), parseContent(request.body));
      return reply.code(202).send(presentDocument(changed));
    },
  );
}

interface DocumentRequest extends FastifyRequest {
  readonly params: z.output<typeof documentParamsSchema>;
}

function targetOf(request: DocumentRequest): DocumentTarget {
  return {
    workspaceId: requestWorkspace.get(request).id,
    id: request.params.doc_id,
    actor: requestActor.get(request).identity,
  };
}
