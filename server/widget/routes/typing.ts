import { tellVisitorTyping } from '../../../core/live/agent-typing.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { currentVisitor } from '../visitor-guards.ts';
import { sessionRouteSchema, type VisitorRoute } from './visitor-route.ts';

/** `POST …/typing`: shows agents that the visitor writes. */
export function postTyping(app: TypedApp, { database }: Runtime, kind: VisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    summary: 'Tell that the visitor writes',
    operationId: 'typeAsVisitor',
    description:
      'Shows the agents for six seconds that the visitor writes, if a person has the conversation or was asked for. Send it at most every four seconds.',
    response: {
      204: noContentSchema,
      ...errorResponses('channel_not_found', 'origin_not_allowed', 'rate_limit_minute'),
    },
  };
  app.post('/typing', { schema }, async (request, reply) => {
    await tellVisitorTyping(database.kysely, currentVisitor.get(request));
    return reply.code(204).send();
  });
}
