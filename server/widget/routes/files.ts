import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import type { StorageServices } from '../../../core/runtime/open-storage.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { deleteUnsentFile, fileLimits, storeFile } from '../../../core/visitors/visitor-files.ts';
import { parseMultipartForm, UploadedFile } from '../../multipart-form.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { currentVisitor } from '../visitor-guards.ts';
import { sessionRouteSchema, type VisitorRoute } from './visitor-route.ts';

const bodyLimit = fileLimits.bytes + 64 * 1024;
const fileSchema = z
  .instanceof(UploadedFile)
  .refine(({ bytes }) => bytes.byteLength > 0)
  .meta({ type: 'string', format: 'binary', description: 'PNG, JPEG, GIF, WebP, PDF or plain text.' });

export function postFile(app: TypedApp, runtime: Runtime, kind: VisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    summary: 'Upload a file for a message',
    operationId: 'handInFile',
    description:
      'Stores a file that a message can refer to in `files`. Its type is determined from its content. A file that no message refers to is deleted after a day.',
    consumes: ['multipart/form-data'],
    body: z.object({ file: fileSchema }),
    response: {
      201: z
        .object({
          id: z.string(),
          name: z.string().nullable(),
          content_type: z.string().nullable(),
          bytes: z.int().nullable(),
        })
        .meta({ id: 'VisitorFile' }),
      ...errorResponses(
        'channel_not_found',
        'origin_not_allowed',
        'attachments_off',
        'rate_limit_minute',
        'challenge_required',
        'rate_limit_day',
        'too_many_files',
        'invalid_multipart',
      ),
    },
  };
  app.post(
    '/files',
    { schema, bodyLimit, preValidation: parseMultipartForm(fileLimits.bytes) },
    async (request, reply) => {
      const { bytes, name = '', truncated } = request.body.file;
      if (truncated)
        throw new AppError('payload_too_large', {
          detail: `The file is too large. The maximum is ${fileLimits.bytes} bytes.`,
        });
      const stored = await storeFile(runtime, currentVisitor.get(request), { name, bytes });
      return reply.code(201).send({
        id: stored.reference,
        name: stored.name,
        content_type: stored.contentType,
        bytes: stored.bytes,
      });
    },
  );
}

export function deleteFile(app: TypedApp, { database }: StorageServices, kind: VisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    params: z.object({ ...kind.params.shape, file_id: z.string() }),
    summary: 'Delete an uploaded file that was not sent',
    operationId: 'takeFileBack',
    description: 'Deletes a file that no message refers to yet.',
    response: {
      204: noContentSchema,
      ...errorResponses(
        'channel_not_found',
        'attachment_not_found',
        'origin_not_allowed',
        'rate_limit_minute',
      ),
    },
  };
  app.delete('/files/:file_id', { schema }, async (request, reply) => {
    await deleteUnsentFile(database.kysely, currentVisitor.get(request), request.params.file_id);
    return reply.code(204).send();
  });
}
