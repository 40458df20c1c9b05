import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { noContentSchema } from '../../schemas/no-content-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { currentVisitor } from '../visitor-session.ts';
import { type RouteKind, sessionRoute } from './route-kind.ts';

/** `POST …/read`. */
export function postRead(app: TypedApp, { visitors }: Runtime, kind: RouteKind): void {
  const schema = {
    ...sessionRoute(kind),
    summary: 'Say that everything so far was seen',
    operationId: 'readAsVisitor',
    description: 'Marks every message so far as seen, so that none of them is sent by e-mail later.',
    response: {
      204: noContentSchema,
      ...errorResponses('channel_not_found', 'origin_not_allowed', 'rate_limit_minute'),
    },
  };
  app.post('/read', { schema }, async (request, reply) => {
    await visitors.read(currentVisitor.of(request));
    return reply.code(204).send();
  });
}
