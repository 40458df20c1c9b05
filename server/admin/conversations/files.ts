import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireConversation } from '../../../core/audit/audit-log.ts';
import { AppError } from '../../../core/base/errors.ts';
import { createAccountFinder } from '../../../core/channels/accounts/channel-accounts.ts';
import {
  type AgentFile,
  agentFileLimits,
  deleteUnsentAgentFile,
  type FileOwner,
  listUnsentFiles,
  storeAgentFile,
} from '../../../core/channels/outbound/agent-files.ts';
import { requireFilesPossible } from '../../../core/channels/outbound/agent-reply.ts';
import type { StorageServices } from '../../../core/runtime/open-storage.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { parseMultipartForm, UploadedFile } from '../../multipart-form.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace } from '../operator-route.ts';
import { conversationParamsSchema } from './schema.ts';

/** Registers the routes with which agents attach files to a reply. */
export function replyFileRoutes(app: TypedApp, runtime: Runtime): void {
  getFiles(app, runtime);
  removeFile(app, runtime);
  app.register(async (scope: TypedApp) => {
    await scope.register(multipart, { throwFileSizeLimit: false });
    postFile(scope, runtime);
  });
}

const agentFileSchema = z
  .object({
    id: z.string(),
    name: z.string().meta({ description: 'Without a path and control characters.' }),
    content_type: z.string().meta({ description: 'Detected from the bytes.' }),
    byte_count: z.int(),
    url: z.string().meta({
      description:
        'Whoever has this link can read the file without signing in. A path if PUBLIC_URL is not set.',
    }),
  })
  .meta({ id: 'AgentFile' });

function presentFile({ id, name, contentType, bytes, url }: AgentFile): z.output<typeof agentFileSchema> {
  return { id, name, content_type: contentType, byte_count: bytes, url };
}

function ownerOf(request: FastifyRequest, conversationId: string): FileOwner {
  const { person } = requestActor.get(request);
  return { workspaceId: requestWorkspace.get(request).id, conversationId, personId: person?.id ?? null };
}

const getFilesSchema = {
  ...operatorRoute,
  operationId: 'listReplyFiles',
  summary: 'List the files that the caller has uploaded in a conversation and not sent',
  description: 'Returns the oldest first. Files that are not sent within a day are deleted.',
  params: conversationParamsSchema,
  response: {
    200: z.object({ files: z.array(agentFileSchema) }),
    ...errorResponses('workspace_not_found', 'conversation_not_found'),
  },
};

function getFiles(app: TypedApp, runtime: Runtime): void {
  const path = '/conversations/:conv_id/files';
  app.get(
    path,
    { schema: getFilesSchema, ...needs('inbox:reply', { scope: 'conversations:reply' }) },
    async (request) => {
      const owner = ownerOf(request, request.params.conv_id);
      await requireConversation(runtime.database.kysely, {
        workspaceId: owner.workspaceId,
        id: owner.conversationId,
      });
      const files = await listUnsentFiles(runtime, owner);
      return { files: files.map(presentFile) };
    },
  );
}

const postFileSchema = {
  ...operatorRoute,
  operationId: 'uploadReplyFile',
  summary: 'Upload a file for a reply',
  description:
    'Stores a file of at most 10 MB. The caller sends it by naming its id in `file_ids` of a reply: at most 5 files, 25 MB together. On channels of platforms, PUBLIC_URL must be set.',
  params: conversationParamsSchema,
  consumes: ['multipart/form-data'],
  body: z.object({
    file: z
      .instanceof(UploadedFile)
      .refine(({ bytes }) => bytes.byteLength > 0)
      .meta({ type: 'string', format: 'binary' }),
  }),
  response: {
    201: agentFileSchema,
    ...errorResponses(
      'workspace_not_found',
      'conversation_not_found',
      'invalid_multipart',
      'too_many_reply_files',
      'files_not_possible',
      'no_public_address',
    ),
  },
};

function postFile(app: TypedApp, runtime: Runtime): void {
  const dependencies = { ...runtime, findAccount: createAccountFinder(runtime) };
  const options = {
    schema: postFileSchema,
    bodyLimit: agentFileLimits.bytes + 64 * 1024,
    preValidation: parseMultipartForm(agentFileLimits.bytes),
    ...needs('inbox:reply', { scope: 'conversations:reply' }),
  };
  app.post('/conversations/:conv_id/files', options, async (request, reply) => {
    const owner = ownerOf(request, request.params.conv_id);
    const { bytes, name = '', truncated } = request.body.file;
    if (truncated) {
      throw new AppError('payload_too_large', { detail: 'The file is too large. The maximum is 10 MB.' });
    }
    await requireFilesPossible(dependencies, owner);
    return reply.code(201).send(presentFile(await storeAgentFile(runtime, owner, { name, bytes })));
  });
}

const deleteFileSchema = {
  ...operatorRoute,
  operationId: 'deleteReplyFile',
  summary: 'Delete an uploaded file that was not sent',
  description: 'Only the person who uploaded the file can delete it. A sent file ends with its conversation.',
  params: conversationParamsSchema.extend({
    file_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('attachment_not_found')),
  }),
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'attachment_not_found') },
};

function removeFile(app: TypedApp, { database }: StorageServices): void {
  const path = '/conversations/:conv_id/files/:file_id';
  app.delete(
    path,
    { schema: deleteFileSchema, ...needs('inbox:reply', { scope: 'conversations:reply' }) },
    async (request, reply) => {
      const { conv_id, file_id } = request.params;
      await deleteUnsentAgentFile(database.kysely, ownerOf(request, conv_id), file_id);
      return reply.code(204).send();
    },
  );
}
