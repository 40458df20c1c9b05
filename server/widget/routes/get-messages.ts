import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { visitorMessages } from '../../../core/visitors/visitor-messages.ts';
import { visitorState } from '../../../core/visitors/visitor-state.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { pageQuerySchema } from '../../schemas/page-query-schema.ts';
import { paginationSchema } from '../../schemas/pagination-schema.ts';
import { presentPagination } from '../../schemas/present-pagination.ts';
import type { TypedApp } from '../../typed-app.ts';
import { currentVisitor } from '../visitor-session.ts';
import { presentVisitorMessage, visitorMessageSchema } from './message-schema.ts';
import { type RouteKind, sessionRoute } from './route-kind.ts';
import { visitorStateSchema } from './state-schema.ts';

/** `GET …/messages`. */
export function getMessages(app: TypedApp, { database, clock }: Runtime, kind: RouteKind): void {
  const schema = {
    ...sessionRoute(kind),
    summary: 'Read what was said so far',
    operationId: 'listVisitorMessages',
    description: 'Returns the messages of all conversations of this visitor, newest first.',
    querystring: pageQuerySchema,
    response: {
      200: visitorStateSchema
        .extend({ messages: z.array(visitorMessageSchema), pagination: paginationSchema })
        .meta({ id: 'VisitorMessages' }),
      ...errorResponses('channel_not_found', 'origin_not_allowed', 'rate_limit_minute'),
    },
  };
  app.get('/messages', { schema }, async (request) => {
    const visitor = currentVisitor.of(request);
    const page = await visitorMessages(database.kysely, visitor, request.query);
    return {
      ...(await visitorState(database.kysely, visitor, clock.now())),
      messages: page.items.map(presentVisitorMessage),
      pagination: presentPagination(page),
    };
  });
}
