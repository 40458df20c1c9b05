import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { pageQuerySchema } from '../../schemas/page-query-schema.ts';
import { paginationSchema } from '../../schemas/pagination-schema.ts';
import { presentPagination } from '../../schemas/present-pagination.ts';
import type { TypedApp } from '../../typed-app.ts';
import { conversationParamsSchema } from './conversation-params-schema.ts';
import { conversationRoute } from './conversation-route.ts';
import { inboxUser } from './inbox-user.ts';
import { messageSchema } from './message-schema.ts';
import { presentMessage } from './present-message.ts';

const schema = {
  ...conversationRoute,
  operationId: 'listMessages',
  description:
    "Returns the messages of the conversation in pages, oldest first unless `order` is `desc`. Answers and replies carry their delivery to the visitor's platform.",
  summary: 'List the messages of a conversation',
  params: conversationParamsSchema,
  querystring: pageQuerySchema.extend({
    limit: pageQuerySchema.shape.limit.default(50),
    order: z.enum(['asc', 'desc']).default('asc').meta({ description: 'asc: oldest first.' }),
  }),
  response: {
    200: z.object({ messages: z.array(messageSchema), pagination: paginationSchema }),
    ...errorResponses('conversation_not_found'),
  },
};

/** `GET /v1/conversations/{conversation_id}/messages`. */
export function getMessages(app: TypedApp, { inbox }: Runtime): void {
  app.get('/conversations/:conversation_id/messages', { schema }, async (request) => {
    const page = await inbox.messages(inboxUser(request), request.params.conversation_id, request.query);
    return { messages: page.items.map(presentMessage), pagination: presentPagination(page) };
  });
}
