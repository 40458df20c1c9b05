import { findAccountIn } from '../../../core/pipeline/find-account.ts';
import { findReplyWindow } from '../../../core/pipeline/find-reply-window.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { conversationParamsSchema } from './conversation-params-schema.ts';
import { conversationRoute } from './conversation-route.ts';
import { conversationViewSchema } from './conversation-view-schema.ts';
import { inboxUser } from './inbox-user.ts';
import { presentView } from './present-view.ts';

const schema = {
  ...conversationRoute,
  operationId: 'getConversation',
  description:
    'Returns the conversation with its whole history, its internal notes and its audit log, all of one moment. Use `listMessages` to page through a long one.',
  summary: 'Read a conversation with its messages, notes and changes',
  params: conversationParamsSchema,
  response: { 200: conversationViewSchema, ...errorResponses('conversation_not_found') },
};

/** `GET /v1/conversations/{conversation_id}`. */
export function getConversation(app: TypedApp, runtime: Runtime): void {
  const dependencies = { ...runtime, findAccount: findAccountIn(runtime) };
  app.get('/conversations/:conversation_id', { schema }, async (request) => {
    const view = await runtime.inbox.get(inboxUser(request), request.params.conversation_id);
    const { id: conversationId, workspaceId } = view;
    return presentView(view, await findReplyWindow(dependencies, { workspaceId, conversationId }));
  });
}
