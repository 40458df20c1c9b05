import { z } from 'zod';
import { rateConversation } from '../../../core/channels/ratings.ts';
import { tellVisitorTyping } from '../../../core/live/agent-typing.ts';
import type { ConversationServices } from '../../../core/runtime/open-conversations.ts';
import type { StorageServices } from '../../../core/runtime/open-storage.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import {
  listVisitorMessages,
  loadVisitorState,
  submitVisitorFeedback,
} from '../../../core/visitors/visitor-conversation.ts';
import { boundedString } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { feedbackBodySchema } from '../../v1/conversations/schema.ts';
import { currentVisitor } from '../visitor-guards.ts';
import { presentVisitorMessage, visitorMessageSchema, visitorStateSchema } from './message-schema.ts';
import { sessionRouteSchema, type VisitorRoute } from './visitor-route.ts';

export function getMessages(app: TypedApp, { database, clock }: Runtime, kind: VisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    summary: 'List the messages of a visitor',
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
    const visitor = currentVisitor.get(request);
    const page = await listVisitorMessages(database.kysely, visitor, request.query);
    return {
      ...(await loadVisitorState(database.kysely, visitor, clock.now())),
      messages: page.items.map(presentVisitorMessage),
      pagination: presentPagination(page),
    };
  });
}

export function postFeedback(app: TypedApp, runtime: Runtime, kind: VisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    summary: 'Rate an answer as a visitor',
    operationId: 'judgeAsVisitor',
    description:
      "Stores the visitor's rating of an answer in their own conversation. The latest rating counts.",
    body: feedbackBodySchema.extend({ message_id: z.string() }),
    response: {
      204: noContentSchema,
      ...errorResponses('channel_not_found', 'message_not_found', 'origin_not_allowed', 'rate_limit_minute'),
    },
  };
  app.post('/feedback', { schema }, async (request, reply) => {
    const { message_id: messageId, value, comment } = request.body;
    await submitVisitorFeedback(runtime, currentVisitor.get(request), {
      messageId,
      value,
      comment: comment || null,
    });
    return reply.code(204).send();
  });
}

export function postRating(app: TypedApp, runtime: Runtime, kind: VisitorRoute): void {
  const stores = { ...runtime, database: runtime.database.kysely };
  const schema = {
    ...sessionRouteSchema(kind),
    summary: 'Rate a conversation as a visitor',
    operationId: 'rateAsVisitor',
    description:
      'Stores the rating of the latest conversation, if a person resolved it. The last rating counts. Webhooks receive `conversation.rated`.',
    body: z
      .object({
        score: z.int().min(1).max(5),
        comment: boundedString({ max: 4_000 }, z.string().trim()).nullish(),
      })
      .meta({ examples: [{ score: 5 }] }),
    response: {
      204: noContentSchema,
      ...errorResponses('channel_not_found', 'rating_not_asked', 'origin_not_allowed', 'rate_limit_minute'),
    },
  };
  app.post('/rating', { schema }, async (request, reply) => {
    const { score, comment } = request.body;
    await rateConversation(stores, currentVisitor.get(request), { score, comment: comment || null });
    return reply.code(204).send();
  });
}

export function postRead(app: TypedApp, { visitors }: ConversationServices, kind: VisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    summary: 'Mark all messages as seen',
    operationId: 'readAsVisitor',
    description: 'Marks all messages so far as seen, so that none of them is sent by email later.',
    response: {
      204: noContentSchema,
      ...errorResponses('channel_not_found', 'origin_not_allowed', 'rate_limit_minute'),
    },
  };
  app.post('/read', { schema }, async (request, reply) => {
    await visitors.read(currentVisitor.get(request));
    return reply.code(204).send();
  });
}

/** `POST …/typing`: shows agents that the visitor writes. */
export function postTyping(app: TypedApp, { database }: StorageServices, kind: VisitorRoute): void {
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
