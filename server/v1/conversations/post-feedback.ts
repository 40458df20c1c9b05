import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { answerWith } from '../../schemas/answer-with.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { conversationParamsSchema } from './conversation-params-schema.ts';
import { conversationRoute } from './conversation-route.ts';
import { feedbackBodySchema } from './feedback-body-schema.ts';
import { inboxUser } from './inbox-user.ts';
import { messageSchema } from './message-schema.ts';
import { presentMessage } from './present-message.ts';

const schema = {
  ...conversationRoute,
  operationId: 'giveFeedback',
  description:
    "Stores the visitor's opinion of an answer. The latest opinion counts, and sending the same one again changes nothing. Webhooks receive `message.feedback`.",
  summary: 'Say what the visitor thinks of an answer',
  params: conversationParamsSchema.extend({
    message_id: z.string().refine((id) => /^\w+$/.test(id), answerWith('message_not_found')),
  }),
  body: feedbackBodySchema,
  response: { 200: messageSchema, ...errorResponses('conversation_not_found', 'message_not_found') },
};

/** `POST /v1/conversations/{conversation_id}/messages/{message_id}/feedback`. */
export function postFeedback(app: TypedApp, { inbox }: Runtime): void {
  app.post('/conversations/:conversation_id/messages/:message_id/feedback', { schema }, async (request) => {
    const { params, body } = request;
    const judged = await inbox.judge(inboxUser(request), {
      conversationId: params.conversation_id,
      messageId: params.message_id,
      value: body.value,
      comment: body.comment || null,
    });
    return presentMessage(judged);
  });
}
