import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { noContentSchema } from '../../schemas/no-content-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { visitorDoor } from '../visitor-door.ts';
import { type RouteKind, sessionRoute } from './route-kind.ts';

/** `DELETE …/session`: log out. */
export function deleteSession(app: TypedApp, { visitors }: Runtime, kind: RouteKind): void {
  const schema = {
    ...sessionRoute(kind),
    summary: 'Log out',
    operationId: 'closeSession',
    description: 'Ends the session at once. The messages stay stored.',
    response: {
      204: noContentSchema,
      ...errorResponses('channel_not_found', 'origin_not_allowed', 'rate_limit_minute'),
    },
  };
  app.delete('/session', { schema }, async (request, reply) => {
    const { account, sessionOf } = visitorDoor.of(request);
    await visitors.close(account.id, sessionOf(request));
    return reply.code(204).send();
  });
}
