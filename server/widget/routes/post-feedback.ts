import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { judgeAsVisitor } from '../../../core/visitors/judge-as-visitor.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { noContentSchema } from '../../schemas/no-content-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { feedbackBodySchema } from '../../v1/conversations/feedback-body-schema.ts';
import { currentVisitor } from '../visitor-session.ts';
import { type RouteKind, sessionRoute } from './route-kind.ts';

/** `POST …/feedback`. */
export function postFeedback(app: TypedApp, runtime: Runtime, kind: RouteKind): void {
  const schema = {
    ...sessionRoute(kind),
    summary: 'Say what you think of an answer',
    operationId: 'judgeAsVisitor',
    description:
      "Stores the visitor's opinion of an answer in their own conversation. The latest opinion counts.",
    body: feedbackBodySchema.extend({ message_id: z.string() }),
    response: {
      204: noContentSchema,
      ...errorResponses('channel_not_found', 'message_not_found', 'origin_not_allowed', 'rate_limit_minute'),
    },
  };
  app.post('/feedback', { schema }, async (request, reply) => {
    const { message_id: messageId, value, comment } = request.body;
    await judgeAsVisitor(runtime, currentVisitor.of(request), { messageId, value, comment: comment || null });
    return reply.code(204).send();
  });
}
