import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { noContentSchema } from '../../schemas/no-content-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { conversationParamsSchema } from './conversation-params-schema.ts';
import { conversationRoute } from './conversation-route.ts';
import { inboxUser } from './inbox-user.ts';

const schema = {
  ...conversationRoute,
  operationId: 'deleteConversation',
  description:
    'Deletes the conversation with its messages and notes. The audit log is kept and stays readable by the operator. This cannot be undone.',
  summary: 'Delete a conversation with its messages and notes; what was told of its changes is kept',
  params: conversationParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('conversation_not_found') },
};

/** `DELETE /v1/conversations/{conversation_id}`. */
export function deleteConversation(app: TypedApp, { inbox }: Runtime): void {
  app.delete('/conversations/:conversation_id', { schema }, async (request, reply) => {
    await inbox.delete(inboxUser(request), request.params.conversation_id);
    return reply.code(204).send();
  });
}
