import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { takeFileBack } from '../../../core/visitors/take-file-back.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { noContentSchema } from '../../schemas/no-content-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { currentVisitor } from '../visitor-session.ts';
import { type RouteKind, sessionRoute } from './route-kind.ts';

/** `DELETE …/files/{file_id}`. */
export function deleteFile(app: TypedApp, { database }: Runtime, kind: RouteKind): void {
  const schema = {
    ...sessionRoute(kind),
    params: z.object({ ...kind.params.shape, file_id: z.string() }),
    summary: 'Take back a file that was not sent',
    operationId: 'takeFileBack',
    description: 'Deletes a file that no message names yet.',
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
    await takeFileBack(database.kysely, currentVisitor.of(request), request.params.file_id);
    return reply.code(204).send();
  });
}
