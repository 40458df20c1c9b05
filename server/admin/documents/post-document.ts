import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { DEFAULT_LOADING_LIMITS } from '../../../core/knowledge/loaders/loading-limits.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { requireAudience } from '../../../core/workspaces/require-audience.ts';
import type { Drain } from '../../drain.ts';
import { readForm } from '../../forms/read-form.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { documentBodySchema, uploadBodySchema } from './document-body-schema.ts';
import { documentSchema } from './document-schema.ts';
import { presentDocument } from './present-document.ts';
import { readDocument } from './read-document.ts';
import { waitForIndexing } from './wait-for-indexing.ts';

/** More than a document may have: one that is too large is recorded as failed, with the reason. */
const bodyLimit = 30 * 2 ** 20;

const common = {
  ...operatorRoute,
  params: workspaceParamsSchema,
  querystring: z.object({
    wait: z
      .enum(['true', 'false'])
      .default('false')
      .meta({ description: 'Answer when it is indexed or failed.' }),
  }),
  response: {
    200: documentSchema.meta({ description: 'With wait: it is indexed or failed.' }),
    202: documentSchema.meta({ description: 'It will be indexed.' }),
    ...errorResponses('workspace_not_found', 'invalid_multipart'),
  },
};

const schema = {
  ...common,
  summary: 'Add a document, or replace the one of the same address or file name',
  operationId: 'addDocument',
  description:
    'Adds a document from text in `content` and queues it for indexing. A document of the same `url` or file name is replaced: it answers with its old content until the new one is indexed. Answers 202 at once, or with `wait=true` 200 when it is indexed or failed. To send a file, use `uploadDocument`; a form is accepted here as well.',
  consumes: ['application/json', 'multipart/form-data'],
  body: documentBodySchema,
};

const uploadSchema = {
  ...common,
  summary: 'Add a document from a file, or replace the one of the same address or file name',
  operationId: 'uploadDocument',
  description:
    'Adds a document from a file of at most 25 MB (PDF, DOCX, Markdown, HTML, text or CSV) and queues it for indexing. A document of the same `url` or file name is replaced. Answers 202 at once, or with `wait=true` 200 when it is indexed or failed. A file that cannot be read is `failed`, with the reason.',
  consumes: ['multipart/form-data'],
  body: uploadBodySchema,
};

/** `POST /admin/v1/workspaces/{workspace_id}/documents`. */
export function postDocument(app: TypedApp, runtime: Runtime, drain: Drain): void {
  const preValidation = readForm(DEFAULT_LOADING_LIMITS.maxFileBytes);
  app.post('/documents', { schema, bodyLimit, preValidation }, (request, reply) =>
    add(runtime, { request, reply, draining: drain.signal }),
  );
}

/** `POST /admin/v1/workspaces/{workspace_id}/documents/upload`. */
export function uploadDocument(app: TypedApp, runtime: Runtime, drain: Drain): void {
  const readFile = readForm(DEFAULT_LOADING_LIMITS.maxFileBytes);
  const preValidation = async (request: FastifyRequest) => {
    if (!request.isMultipart()) {
      throw new AppError('unsupported_media_type', { detail: 'Send the file as multipart/form-data.' });
    }
    await readFile(request);
  };
  app.post('/documents/upload', { schema: uploadSchema, bodyLimit, preValidation }, (request, reply) =>
    add(runtime, { request, reply, draining: drain.signal }),
  );
}

interface Addition {
  readonly request: FastifyRequest & {
    readonly body: Parameters<typeof readDocument>[0];
    readonly query: { readonly wait: 'true' | 'false' };
  };
  readonly reply: FastifyReply;
  readonly draining: AbortSignal;
}

async function add({ documents }: Runtime, { request, reply, draining }: Addition) {
  const workspace = addressedWorkspace.of(request);
  requireAudience(workspace, request.body.audience);
  const added = await documents.add({ ...readDocument(request.body), workspaceId: workspace.id });
  if (request.query.wait === 'false') return reply.code(202).send(presentDocument(added));
  const document = await waitForIndexing(documents, added, { reply, draining });
  const final = document.status === 'indexed' || document.status === 'failed';
  return reply.code(final ? 200 : 202).send(presentDocument(document));
}
